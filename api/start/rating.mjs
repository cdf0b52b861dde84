const answer = await fetch("https://portal.example/api/v1/players/1001");
const player = await answer.json();
for (const one of player.ratings) console.log(player.name, one.kind, one.rating);
