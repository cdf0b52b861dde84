curl -s 'https://portal.example/api/v1/lists/rapid/latest/entries.csv' -o rapid.csv
