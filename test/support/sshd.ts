import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { expect, vi } from 'vitest'
import type { Need } from './needs.ts'
import { freePort } from './ports.ts'
import { generatedKey } from './ssh-keygen.ts'

const found = spawnSync('bash', ['-c', 'PATH=$PATH:/usr/sbin:/usr/local/sbin type -P sshd'])
// It starts itself anew for each connection, which needs the whole path.
const program = found.stdout.toString().trim()

/** OpenSSH's server, and its programs for keys. */
export const sshServer: Need = {
  tests: 'of repositories that are read through SSH',
  missing: program === '' ? '`sshd` is not installed' : undefined,
}

export interface SshServer {
  /** The address of the one repository that it serves. */
  url: string
  /** What it wrote so far: who came, and with which key. */
  log(): string
  stop(): Promise<void>
}

/**
 * Starts OpenSSH's server on this machine, for the user who runs the tests. Anyone who has the key of the line
 * `authorized` can read the repository in a folder there, and do nothing else.
 */
export async function startSshd(folder: string, authorized: string): Promise<SshServer> {
  const own = await mkdtemp(path.join(tmpdir(), 'build-service-sshd-'))
  const port = await freePort()
  const user = userInfo().username
  // What the server's own child for the time before a login is locked into; systemd makes it elsewhere.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 })
  await writeFile(path.join(own, 'host_key'), generatedKey('-t', 'ed25519'), { mode: 0o600 })
  await writeFile(path.join(own, 'serve'), `#!/bin/sh\nexec git-upload-pack '${folder}'\n`)
  await chmod(path.join(own, 'serve'), 0o755)
  await writeFile(
    path.join(own, 'authorized_keys'),
    `restrict,command="${own}/serve" ${authorized.trim()}\n`,
  )
  const settings = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${own}/host_key`, 'PidFile none'],
    ...[`AuthorizedKeysFile ${own}/authorized_keys`, 'StrictModes no', 'UsePAM no'],
    ...['PermitRootLogin prohibit-password', 'PasswordAuthentication no', 'LogLevel VERBOSE'],
    'KbdInteractiveAuthentication no',
    // Without, bash reads the user's start file, which may take long or print something.
    'SetEnv SHLVL=1',
  ]
  await writeFile(path.join(own, 'config'), settings.join('\n'))

  const child = spawn(program, ['-D', '-e', '-f', path.join(own, 'config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const gone = new Promise((resolve) => child.once('close', resolve))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await vi.waitFor(() => expect(said).toContain(`listening on 127.0.0.1 port ${port}`), 20_000)
  return {
    url: `ssh://${user}@127.0.0.1:${port}/part.git`,
    log: () => said,
    async stop() {
      child.kill()
      await gone
      await rm(own, { recursive: true, force: true })
    },
  }
}
