import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { registerApp } from '../../src/flow/register-app.ts'
import { examine } from '../../src/service/examine.ts'
import { startService } from '../../src/service/start.ts'
import { eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { urlOf } from '../support/service-process.ts'

test('an app that another process has registered is used without a restart, by commands too', async () => {
  const { db, connection } = await ownDatabase()
  const host = await startCodehost()
  onTestFinished(() => host.stop())
  const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-registration-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = readConfig({
    ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), MASTER_KEY: 'a'.repeat(64) },
    ...{ ROLE: 'worker', GHE_HOST: new URL(host.url).host, GHE_PROTOCOL: 'http' },
  })
  const service = await startService(config, { log: testLog })
  onTestFinished(() => service.stop())
  await host.addRepository({ owner: 'octavia' })
  const { app } = host
  const registered = {
    ...{ app_id: String(app.id), name: app.name, html_url: `${host.url}/apps/${app.slug}` },
    ...{ private_key: app.privateKey, webhook_secret: app.webhookSecret },
    ...{ client_id: app.clientId, client_secret: app.clientSecret },
  }
  const where = { codehost_url: host.url, address: '127.0.0.1' }
  expect(await registerApp(service.ctx, registered, where)).toBe(true)
  expect(await registerApp(service.ctx, { ...registered, app_id: '8' }, where)).toBe(false)

  // Its installations are looked up as soon as it is used.
  await eventually(async () => {
    const known = await db.selectFrom('repositories').select(['owner_name', 'active']).execute()
    expect(known).toEqual([{ owner_name: 'octavia', active: true }])
  })
  const found: string[] = []
  for await (const examined of examine(config, testLog)) {
    if (examined.subject === 'app') found.push(examined.found)
  }
  expect(found).toEqual([`${app.name} (${app.id}) is known at ${host.url}/apps/${app.slug}`])
})
