curl -s --data-binary @open.trf -H 'Content-Type: text/plain' 'https://portal.example/api/v1/reports/check'
