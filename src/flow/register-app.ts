import { installer } from '../domain/audit.ts'
import type { NewApp } from '../domain/registered-app.ts'
import { sealedIn } from '../secrets/sealed-records.ts'
import { insertRegisteredApp } from '../store/registered-app.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'

/**
 * Stores the app that the service is from now on, its credentials sealed. False where there is one
 * already: it stays.
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
