import { readFile } from "node:fs/promises";

const answer = await fetch("https://portal.example/api/v1/reports/check", {
  method: "POST",
  headers: { "Content-Type": "text/plain" },
  body: await readFile("open.trf"),
});
const checked = await answer.json();
for (const one of checked.findings) console.log(one.severity, one.line, one.message);
