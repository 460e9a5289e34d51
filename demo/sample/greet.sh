#!/bin/sh
# Prints a greeting.
echo "${GREETING:-hello}, ${1:-you}!"
