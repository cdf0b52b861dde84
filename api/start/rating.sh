curl -s 'https://portal.example/api/v1/players/1001'
