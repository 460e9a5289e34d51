import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Container } from 'dockerode'
import { bytesIn, type Entry, writeArchive } from '../archive.ts'
import type { StartedService } from './ready.ts'

export interface Clients {
  archiveOf(started: StartedService): Promise<Copied>
  /** Removes the archives that no job has used for some days. */
  removeUnused(days: number): Promise<void>
}

interface Copied {
  /**
   * A file of this machine: the archive with a service's client programs, for any job; absent if it
   * has no clients.
   */
  file?: string
  /** Names of the programs that its image lacks. */
  missing: string[]
}

/** Below it are the clients of each service, and `bin` with a program that starts each of them. */
const root = '/usr/local/lib/build-service'

/** Comes after all other folders in a job's PATH: a client of the job's image is preferred. */
export const clientFolder = `${root}/bin`

/** Copies client programs out of the images of services, once for each image. */
export function createClients(workDir: string): Clients {
  const known = new Map<string, Promise<Copied>>()
  const folder = path.join(workDir, 'clients')
  return {
    async archiveOf({ service, container }) {
      if (!service.clients) return { missing: [] }
      const { Image: image } = await container.inspect()
      const key = `${service.name}-${image.replaceAll(/\W/g, '-')}`
      const file = path.join(folder, `${key}.tar`)
      const copied = known.get(key) ?? copyClients(container, service, file)
      known.set(key, copied)
      copied.catch(() => known.delete(key))
      const { file: kept } = await copied
      const now = new Date()
      if (kept !== undefined) await utimes(kept, now, now)
      return copied
    },

    async removeUnused(days) {
      for (const name of await readdir(folder).catch(() => [])) {
        const file = path.join(folder, name)
        const { mtimeMs } = await stat(file)
        if (Date.now() - mtimeMs <= days * 24 * 60 * 60 * 1000) continue
        await rm(file, { force: true })
        known.delete(path.basename(name, '.tar'))
      }
    },
  }
}

async function copyClients(
  container: Container,
  { name, clients = [] }: StartedService['service'],
  file: string,
): Promise<Copied> {
  const found = parse(await printed(container, ['sh', '-c', findClients, 'sh', ...clients]))
  const wanted = clients.map((client) => client.split(':'))
  const missing = wanted.flatMap(([client = '']) => {
    const isReplaced = wanted.some(([one = '', by]) => by === client && found.programs.has(one))
    return found.programs.has(client) || isReplaced ? [] : [client]
  })
  if (found.programs.size === 0) return { missing }
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  // Under another name until it is complete.
  await writeArchive(`${file}.new`, entriesOf(container, `${root}/${name}`, found))
  await rename(`${file}.new`, file)
  return { file, missing }
}

interface Found {
  /** Files of the container by the names that jobs call. */
  programs: Map<string, string>
  /** The program that loads libraries; undefined if no program needs any. */
  loader: string | undefined
  /** Files of the container by the names of libraries. */
  libraries: Map<string, string>
  /** The programs that need them. */
  linked: Set<string>
}

/**
 * A program runs with the libraries of its own image, by the loader of that image: those of a job's image may be
 * older, or missing.
 */
async function* entriesOf(
  container: Container,
  folder: string,
  found: Found,
): AsyncGenerator<Entry> {
  const owner = { uid: 0, gid: 0, mode: 0o755 }
  const copy = async (name: string, file: string): Promise<Entry> => ({
    ...owner,
    name,
    text: await contentOf(container, file),
  })
  for (const each of [root, clientFolder, folder, `${folder}/lib`]) {
    yield { ...owner, name: each, folder: true }
  }
  if (found.loader !== undefined) yield copy(`${folder}/loader`, found.loader)
  for (const [name, file] of found.libraries) yield copy(`${folder}/lib/${name}`, file)
  for (const [name, file] of found.programs) {
    yield copy(`${folder}/${name}`, file)
    const call = `"${folder}/${name}" "$@"`
    const loaded = `"${folder}/loader" --library-path "${folder}/lib" ${call}`
    const run = found.linked.has(name) ? loaded : call
    yield { ...owner, name: `${clientFolder}/${name}`, text: `#!/bin/sh\n${sockets}exec ${run}\n` }
  }
}

/** The place of MySQL's socket is built into its clients, and differs between their makers. */
const sockets = 'export MYSQL_UNIX_PORT="${MYSQL_UNIX_PORT-/var/run/mysqld/mysqld.sock}"\n'

const largest = 300 * 1024 ** 2

async function contentOf(container: Container, file: string): Promise<Buffer> {
  const archive = (await container.getArchive({ path: file })) as Readable
  const bytes = await bytesIn(archive, largest)
  if (bytes === undefined) throw new Error(`${file} of a service cannot be copied`)
  return bytes
}

async function printed(container: Container, Cmd: string[]): Promise<string> {
  const asked = { Cmd, User: '0:0', AttachStdout: true, AttachStderr: false, Tty: true }
  const exec = await container.exec(asked)
  return text(await exec.start({ Tty: true }))
}

/** Prints the files of programs, as `NAME` or `NAME:OTHER`, and of what they need. */
const findClients = `
for wanted; do
  name=\${wanted%%:*} file=
  for each in "$name" "\${wanted#*:}"; do
    for candidate in /usr/lib/postgresql/*/bin/"$each" /usr/bin/"$each" /usr/local/bin/"$each" /opt/*/bin/"$each"; do
      if [ -z "$file" ] && [ -x "$candidate" ]; then file=$(readlink -f "$candidate"); fi
    done
  done
  [ "$file" ] || continue
  echo "program $name $file"
  for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1 /lib/ld-musl-*.so.1; do
    [ -x "$loader" ] || continue
    # The one of musl knows no other way.
    case $loader in *musl*) check=--list ;; *) check=--verify ;; esac
    "$loader" $check "$file" >/dev/null 2>&1 || continue
    echo "loader $name $(readlink -f "$loader")"
    "$loader" --list "$file" 2>/dev/null | while read -r library arrow place rest; do
      if [ "$arrow" = '=>' ]; then echo "library $library $(readlink -f "$place")"; fi
    done
  done
done
`

function parse(lines: string): Found {
  const programs = new Map<string, string>()
  const libraries = new Map<string, string>()
  const linked = new Set<string>()
  let loader: string | undefined
  for (const line of lines.split(/[\r\n]+/)) {
    const [, kind, name = '', file = ''] =
      /^(program|loader|library) ([\w.+-]+) (\/[^\s]+)$/.exec(line) ?? []
    if (kind === 'program') programs.set(name, file)
    else if (kind === 'library') libraries.set(name, file)
    else if (kind === 'loader') {
      loader = file
      linked.add(name)
    }
  }
  return { programs, loader, libraries, linked }
}
