import { randomBytes } from 'node:crypto'
import { installer } from '../../domain/audit.ts'
import type { NewApp } from '../../domain/registered-app.ts'
import { sealedIn } from '../../secrets/sealed-records.ts'
import { insertRegisteredApp } from '../../store/installations/registered-app.ts'
import {
  findSigningKey,
  insertSigningKey,
  type SigningKey,
  findBodyHashKey,
  insertBodyHashKey,
} from '../../store/secrets/service-keys.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'

/** The key that webhooks are signed with, created on first use. */
export async function signingKey({
  db,
  sealer,
  newKeyPair,
}: Pick<Context, 'db' | 'sealer' | 'newKeyPair'>): Promise<SigningKey> {
  const known = await findSigningKey(db)
  if (known) return known
  const { public_key, private_key } = await newKeyPair('signing')
  const sealed_private_key = sealer.sealText(sealedIn.signingKey(), private_key)
  return insertSigningKey(db, { public_key, sealed_private_key })
}

/**
 * The key with which webhook bodies are hashed. It is created on first use, and is the same in all processes
 * and after a change of the master key.
 */
export async function bodyHashKey({ db, sealer }: Pick<Context, 'db' | 'sealer'>): Promise<string> {
  const { sealed_key } = (await findBodyHashKey(db)) ?? (await insertBodyHashKey(db, newKey()))
  return sealer.openText(sealedIn.bodyHashKey(), sealed_key)

  function newKey() {
    const key = randomBytes(32).toString('base64url')
    return { sealed_key: sealer.sealText(sealedIn.bodyHashKey(), key) }
  }
}

/**
 * Stores the app that the service uses from now on, with its credentials sealed. False if there already
 * is an app, which stays.
 */
export function registerApp(
  { db, sealer, now }: Pick<Context, 'db' | 'sealer' | 'now'>,
  { app_id, name, html_url, ...credentials }: NewApp,
  { codehost_url, address }: { codehost_url: string; address: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const sealed_credentials = sealer.sealText(
      sealedIn.registeredApp(app_id),
      JSON.stringify({ name, ...credentials }),
    )
    const app = { app_id, html_url, codehost_url, sealed_credentials }
    if (!(await insertRegisteredApp(tx, app))) return false
    await audit({ db: tx, now }, installer(address), {
      action: 'register',
      subject_type: 'app',
      subject_id: Number(app_id),
      changed: { name, html_url },
    })
    return true
  })
}
