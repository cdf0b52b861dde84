import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts), timestamp = request.headers["x-portal-timestamp"];
  const signature = createHmac("sha256", process.env.WEBHOOK_SECRET).update(`${timestamp}.`).update(body).digest("hex");
  const expected = Buffer.from(`v1=${signature}`), given = Buffer.from(request.headers["x-portal-signature"] ?? "");
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  const isGenuine = isSigned && Math.abs(Date.now() / 1000 - timestamp) < 300;
  if (isGenuine) {
    const delivery = JSON.parse(body);
    console.log(delivery.event, delivery.data);
  }
  response.writeHead(isGenuine ? 204 : 403).end();
}).listen(8001);
