let address = "https://portal.example/api/v1/lists/rapid/latest/entries?limit=1000";
while (address) {
  const page = await (await fetch(address)).json();
  for (const row of page.results) console.log(row.fide_id, row.name, row.rating);
  address = page.next;
}
