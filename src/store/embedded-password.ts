// A socket in a closed folder keeps other users out, but a job may run as the service's own user.
import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { Tools } from './embedded-tools.ts'
import { secretFile } from './secret-file.ts'

const passwordIn = (root: string) => path.join(root, 'password')
const rulesIn = (data: string) => path.join(data, 'pg_hba.conf')

/**
 * The password of the embedded server's only role, from a file of mode 600. If the file was lost,
 * the server gets a new one: until `requirePassword` has set it, it lets in everyone who reaches
 * its socket.
 */
export async function passwordOf(root: string, data: string, tools: Tools): Promise<string> {
  const file = passwordIn(root)
  if (!existsSync(file) && existsSync(rulesIn(data))) await writeRule(data, 'trust', tools)
  const password = await secretFile(file)
  await tools.own(file, 0o600)
  return password
}

/** What `initdb` needs to create a cluster that wants the password from its first start on. */
export function initialPassword(root: string): string[] {
  return ['-A', 'scram-sha-256', `--pwfile=${passwordIn(root)}`]
}

/** A cluster that was created without a password gets one. Repeated, and by several, harmless. */
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

/** Replaces the server's rules of access by one for its socket. It listens on nothing else. */
async function writeRule(data: string, method: string, tools: Tools): Promise<void> {
  const fresh = `${rulesIn(data)}.${process.pid}`
  await writeFile(fresh, `local all all ${method}\n`, { mode: 0o600 })
  await tools.own(fresh, 0o600)
  await rename(fresh, rulesIn(data))
}
