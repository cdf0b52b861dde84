// Answers the worked cases of fide-rapid-blitz-2024, written from the text:
// python3 ../run.py --system fide-rapid-blitz-2024 node fide.js
const DP = [0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184,
  193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
  677, 800]; // 7.1.1, from .50 on
const PD = [3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188,
  197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619,
  735]; // 7.1.2, the greatest difference of .50, .51 and so on
const FLOOR = 1400;

// Whole numbers alone: PD, p and changes are hundredths. Halves go away from zero.
const rounded = (over, under) => Math.sign(over) * Math.floor((2 * Math.abs(over) + under) / (2 * under));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const decimal = (hundredths) => (hundredths / 100).toFixed(2);

function probability(difference) {
  const row = PD.findIndex((most) => Math.abs(difference) <= most);
  const higher = row < 0 ? 100 : 50 + row;
  return difference < 0 ? 100 - higher : higher;
}

const dp = (p) => (p < 50 ? 0 - DP[50 - p] : DP[p - 50]);

function tournament(own, games) {
  const differences = games.map(([other]) => (other === null ? null : Math.max(-400, Math.min(400, own - other))));
  const changes = games.map(([, score], at) =>
    differences[at] === null ? null : Math.round(score * 100) - probability(differences[at]));
  return { differences, changes, sum: sum(changes) };
}

function initialRating(games) {
  const over = sum(games.map(([other]) => other)) + 2 * 1800, opponents = games.length + 2;
  const p = rounded(100 * (2 * sum(games.map(([, score]) => score)) + 2), 2 * opponents);
  return { p, dp: dp(p), rating: Math.min(2200, rounded(over + dp(p) * opponents, opponents)) };
}

const ANSWERS = {
  probability: ({ differences }) => ({ pd: differences.map((one) => decimal(probability(one))) }),
  dp: ({ p }) => ({ dp: p.map((one) => dp(Math.round(one * 100))) }),
  tournament({ rating, games }) {
    const found = tournament(rating, games);
    return { ...found, changes: found.changes.map((one) => one === null ? null : decimal(one)), sum: decimal(found.sum) };
  },
  "initial-rating": ({ games }) => { const first = initialRating(games); return { ...first, p: decimal(first.p) }; },
  k({ list_date, birth_year, completed, highest }) {
    if (highest >= 2400) return { k: 10 };
    const isJunior = birth_year !== null && Number(list_date.slice(0, 4)) - birth_year <= 18;
    return { k: completed < 30 || (isJunior && highest < 2300) ? 40 : 20 };
  },
  list({ rating, tournaments }) {
    const rated = tournaments.map((one) => ({ ...one, games: one.games.filter(([other]) => other !== null) }));
    const games = sum(rated.map((one) => one.games.length));
    const k = rated.map((one) => Math.min(one.k, games ? Math.floor(700 / games) : one.k));
    const change = sum(rated.map((one, at) => k[at] * tournament(one.rating, one.games).sum));
    const after = rating + rounded(change, 100);
    return { games, k, change: decimal(change), rating: after < FLOOR ? null : after };
  },
  newcomer({ list_date, tournaments }) {
    const [year, month] = list_date.split("-").map(Number);
    const first = new Date(Date.UTC(year, month - 1 - 26, 1)).toISOString().slice(0, 10);
    const met = tournaments.map((one) => ({ ...one, games: one.games.filter(([other]) => other !== null) }))
      .filter((one) => one.games.length).sort((one, other) => one.start.localeCompare(other.start));
    if (met.length && sum(met[0].games.map(([, score]) => score)) === 0) met.shift(); // 7.2.2
    const pool = met.filter((one) => one.start >= first).flatMap((one) => one.games);
    const found = pool.length < 5 ? null : initialRating(pool).rating;
    return { rating: found < FLOOR ? null : found };
  },
};

for (const line of require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { ask, input } = JSON.parse(line);
  console.log(JSON.stringify(ask in ANSWERS ? ANSWERS[ask](input) : null));
}
