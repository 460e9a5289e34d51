import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Engine } from '../../../src/runner/executors/docker/engine.ts'
import { importImage } from './images.ts'

/** The folder of Debian's newest PostgreSQL; undefined without the package. */
function postgresFolder(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).toSorted() : []
  const folders = versions.map((version) => path.join(root, version, 'bin'))
  return folders.findLast((folder) => existsSync(path.join(folder, 'initdb')))
}

/** What of Debian's packages the images of services need and this machine lacks. */
export function whyNoServices(): string | undefined {
  if (postgresFolder() === undefined) return 'the package postgresql'
  return existsSync('/usr/bin/redis-server') ? undefined : 'the package redis-server'
}

/** Does what the entry program of the official image does at the first start, as far as tests need it. */
const postgresEntry = `#!/bin/bash
set -e
data=/var/lib/postgresql/data user=\${POSTGRES_USER:-postgres} method=scram-sha-256
if [[ $(id -u) == 0 ]]; then
  mkdir -p $data /var/run/postgresql && chown 999:999 $data /var/run/postgresql && chmod 3777 /var/run/postgresql
  exec setpriv --reuid 999 --regid 999 --clear-groups "$0" "$@"
fi
[[ $POSTGRES_HOST_AUTH_METHOD != trust ]] || method=trust
[[ $POSTGRES_PASSWORD || $method == trust ]] || { echo 'no password and no trust' >&2; exit 1; }
initdb -D $data -U "$user" -A trust --no-sync --no-instructions >/dev/null
pg_ctl -D $data -w -o '-c listen_addresses= -c fsync=off' start >/dev/null
[[ -z $POSTGRES_PASSWORD ]] || psql -U "$user" -d postgres -q -c "alter role $user password '$POSTGRES_PASSWORD'"
[[ \${POSTGRES_DB:-postgres} == postgres ]] || createdb -U "$user" "$POSTGRES_DB"
for each in /docker-entrypoint-initdb.d/*.sql; do [[ ! -e $each ]] || psql -U "$user" -q -f "$each"; done
pg_ctl -D $data -m fast -w stop >/dev/null
echo "host all all all $method" >>$data/pg_hba.conf
exec postgres -D $data -c listen_addresses='*' "$@"
`

/** Makes an image with a real PostgreSQL from the machine's own package. */
export async function importPostgres(engine: Engine, name: string): Promise<void> {
  const folder = postgresFolder() ?? ''
  const root = path.dirname(folder)
  const programs = ['initdb', 'pg_ctl', 'postgres', 'psql', 'createdb', 'pg_isready']
  const libraries = readdirSync(path.join(root, 'lib')).filter((file) => file.endsWith('.so'))
  const share = `/usr/share/postgresql/${path.basename(root)}`
  await importImage(engine, name, {
    programs: ['setpriv'],
    scripts: { '/entry.sh': postgresEntry },
    accounts: ['postgres:x:999:999::/var/lib/postgresql:/bin/bash'],
    folders: [share],
    copies: Object.fromEntries(
      [
        ...programs.map((each) => path.join(folder, each)),
        ...libraries.map((each) => path.join(root, 'lib', each)),
        '/usr/share/zoneinfo/UTC',
      ].map((file) => [file, file]),
    ),
    changes: [
      `ENV PATH=${folder}:/usr/bin`,
      'ENTRYPOINT ["/entry.sh"]',
      'VOLUME /var/lib/postgresql/data',
    ],
  })
}

/** Makes an image with a real Redis from the machine's own package. */
export async function importRedis(engine: Engine, name: string): Promise<void> {
  await importImage(engine, name, {
    programs: ['redis-server', 'redis-cli'],
    changes: ['CMD ["redis-server", "--save", ""]'],
  })
}

/** Makes an image with an engine from the package docker.io, and its client. */
export async function importEngine(engine: Engine, name: string): Promise<void> {
  await importImage(engine, name, {
    programs: [
      ...['dockerd', 'containerd', 'containerd-shim-runc-v2', 'runc', 'docker-init', 'docker'],
      ...['mount', 'umount', 'xz', 'gzip'],
    ],
    scripts: { '/entry.sh': engineEntry },
    changes: ['ENTRYPOINT ["/entry.sh"]', 'VOLUME /var/lib/docker'],
  })
}

/** As the entry program of the official image: an engine that listens at a port without TLS. */
const engineEntry = `#!/bin/bash
[[ -z $DOCKER_TLS_CERTDIR ]] || { echo 'no certificates here' >&2; exit 1; }
exec dockerd -H tcp://0.0.0.0:2375 --iptables=false --bridge=none --storage-driver=vfs --data-root /var/lib/docker
`
