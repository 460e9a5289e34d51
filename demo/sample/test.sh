#!/bin/sh
# Checks that greetings greet.
set -e
for name in Ada Grace Margaret; do
  ./greet.sh "$name" | grep -q "$GREETING, $name!" && echo "ok - greets $name"
  sleep 0.3
done
