#!/bin/sh
# Lets the replica in: PostgreSQL's image runs this once, when the primary's database is made.
set -eu
echo 'host replication fabrica all scram-sha-256' >> "$PGDATA/pg_hba.conf"
