// A socket in a closed folder keeps other users out, but a job may run as the service's own user.
import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { secretFile } from '../secrets/secret-file.ts'
import type { Tools } from './tools.ts'

const passwordIn = (root: string) => path.join(root, 'password')
const rulesIn = (data: string) => path.join(data, 'pg_hba.conf')

/**
 * The password of the embedded server's only role, from a file of mode 600. If the file was lost, the
 * server gets a new password: until `requirePassword` has set it, the server accepts everyone who
 * reaches its socket.
 */
export async function passwordOf(root: string, data: string, tools: Tools): Promise<string> {
  const file = passwordIn(root)
  if (!existsSync(file) && existsSync(rulesIn(data))) await writeRule(data, 'trust', tools)
  const password = await secretFile(file)
  await tools.own(file, 0o600)
  return password
}

/** Arguments with which `initdb` creates a cluster that requires the password from its first start. */
export function initialPassword(root: string): string[] {
  return ['-A', 'scram-sha-256', `--pwfile=${passwordIn(root)}`]
}

/** Sets a password on a cluster created without one. Safe to repeat, and to run in several processes. */
export async function requirePassword(
  client: pg.Client,
  { data, password, tools }: { data: string; password: string; tools: Tools },
): Promise<void> {
  const trusts = `select from pg_hba_file_rules where auth_method = 'trust'`
  if ((await client.query(trusts)).rows.length === 0) return
  const role = client.escapeIdentifier(String(client.user))
  await client.query(`alter role ${role} password ${client.escapeLiteral(password)}`)
  await writeRule(data, 'scram-sha-256', tools)
  await client.query('select pg_reload_conf()')
}

/** Replaces the server's access rules by a rule for its socket. The server listens on nothing else. */
async function writeRule(data: string, method: string, tools: Tools): Promise<void> {
  const fresh = `${rulesIn(data)}.${process.pid}`
  await writeFile(fresh, `local all all ${method}\n`, { mode: 0o600 })
  await tools.own(fresh, 0o600)
  await rename(fresh, rulesIn(data))
}
