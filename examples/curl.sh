#!/usr/bin/env bash
# Report on a task from anywhere that has curl.
#
#   BOOMERANG_TOKEN=<callback token>  curl.sh callback <callback url> '{"status":"progress","progress":{"percent":40}}'
#   BOOMERANG_TOKEN=<callback token>  curl.sh callback <callback url> '{"status":"completed","result":{…}}'
#   BOOMERANG_SECRET=whsec_…          curl.sh signed <boomerang url> '{"status":"completed","boomerang_id":"<id>","url":"https://…"}'
set -euo pipefail

post() {
  curl -sS --fail-with-body --retry 5 --retry-connrefused -X POST "$1" \
    -H 'Content-Type: application/json' --data "$2" "${@:3}"
}

# With the token of one task. From a file, so that no list of processes shows it.
callback() {
  post "$1" "$2" -H @<(echo "Authorization: Bearer $BOOMERANG_TOKEN")
}

# With the secret of the house (CI_SECRET_GENERIC), as Standard Webhooks sign: id, time and body.
signed() {
  local id time key signature
  id="msg_$(od -An -N12 -v -tx1 /dev/urandom | tr -d ' \n')"
  time=$(date +%s)
  key=$(printf '%s' "${BOOMERANG_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
  signature=$(printf '%s' "$id.$time.$2" |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
  post "${1%/}/callbacks/ci/generic" "$2" -H "webhook-id: $id" -H "webhook-timestamp: $time" \
    -H "webhook-signature: v1,$signature"
}

case "${1-}" in
  callback | signed) "$@" ;;
  *) echo 'Use it so: curl.sh callback <callback url> <json>, or curl.sh signed <boomerang url> <json>.' >&2; exit 2 ;;
esac
