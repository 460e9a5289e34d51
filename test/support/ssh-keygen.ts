import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Need } from './needs.ts'

/** OpenSSH's own program for keys. */
export const sshKeygen: Need = {
  tests: 'of keys that `ssh-keygen` makes',
  missing: isThere() ? undefined : '`ssh-keygen` is not installed',
}

function isThere(): boolean {
  try {
    // Without a key it ends with an error of its own.
    execFileSync('ssh-keygen', ['-l', '-f', '/nowhere/key'], { stdio: 'ignore' })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
  return true
}

function inFolder<T>(use: (file: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'ssh-key-'))
  try {
    return use(path.join(folder, 'key'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A new private key, made with these options: `-t ed25519`, say. */
export function generatedKey(...options: string[]): string {
  return inFolder((file) => {
    const usual = options.includes('-N') ? [] : ['-N', '']
    execFileSync('ssh-keygen', ['-q', '-C', 'a comment', '-f', file, ...usual, ...options])
    return readFileSync(file, 'utf8')
  })
}

/** The line that lets in anyone who has this private key. */
export function publicKeyOf(key: string): string {
  return inFolder((file) => {
    writeFileSync(file, key, { mode: 0o600 })
    return execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' })
  })
}

/** The fingerprint of a private or public key, as `ssh-keygen -E md5` shows it. */
export function md5Fingerprint(key: string): string {
  return inFolder((file) => {
    writeFileSync(file, key, { mode: 0o600 })
    const shown = execFileSync('ssh-keygen', ['-l', '-E', 'md5', '-f', file], { encoding: 'utf8' })
    return /MD5:([\da-f:]+)/.exec(shown)?.[1] ?? shown
  })
}

/** A public key in PEM as OpenSSH writes it. */
export function openSshForm(pem: string): string {
  return inFolder((file) => {
    writeFileSync(file, pem)
    return execFileSync('ssh-keygen', ['-i', '-m', 'PKCS8', '-f', file], { encoding: 'utf8' })
  })
}
