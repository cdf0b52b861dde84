# Sends a signed test delivery to the program on your machine, as the portal does.
BODY='{"event": "test", "id": "1", "at": "2026-02-01T12:00:00Z", "data": {}}'
TIMESTAMP=$(date +%s)
SIGNATURE=$(printf '%s.%s' "$TIMESTAMP" "$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/.* //')
curl -s -o /dev/null -w '%{http_code}\n' http://localhost:8001/ -d "$BODY" -H 'Content-Type: application/json' \
  -H "X-Portal-Timestamp: $TIMESTAMP" -H "X-Portal-Signature: v1=$SIGNATURE"
