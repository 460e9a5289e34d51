import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Need } from './needs.ts'

/** The program that clients of such services encrypt with, or whose library they use. */
export const openssl: Need = {
  tests: 'of values that `openssl` encrypts',
  missing:
    spawnSync('openssl', ['version']).status === 0 ? undefined : '`openssl` is not installed',
}

/** A text as OpenSSL encrypts it with a public key, in base64: PKCS#1 v1.5, as clients do. */
export function encryptedByOpenssl(publicKey: string, text: string | Buffer): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'openssl-'))
  try {
    const file = path.join(folder, 'key.pem')
    writeFileSync(file, publicKey)
    const options = ['-pubin', '-inkey', file, '-pkeyopt', 'rsa_padding_mode:pkcs1']
    return execFileSync('openssl', ['pkeyutl', '-encrypt', ...options], { input: text }).toString(
      'base64',
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
