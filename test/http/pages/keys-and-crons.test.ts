import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Repository } from '../../../src/domain/repository.ts'
import { createServer } from '../../../src/http/server.ts'
import { putBranch } from '../../../src/store/repositories/branches.ts'
import { putKeyPair } from '../../../src/store/secrets/key-pairs.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { type Visitor, visitorOf } from '../login-scene.ts'
import { audited } from '../v2/roles.ts'
import { textIn } from './reading.ts'

const db = await testDatabase()
const make = factories(db)

let browser: Visitor
let repository: Repository

beforeEach(async () => {
  repository = await make.repository({ name: 'hello', default_branch_name: 'main' })
  const anna = await make.user('anna')
  await make.permission(anna, repository, 'push')
  browser = visitorOf(await createServer(testContext(db)))
  await browser.submit('/login', '/auth/handshake', { codehost_token: anna.token })
})

const actions = async () => (await audited(db)).map(({ action }) => action).slice(1)

describe('crons', () => {
  const page = '/octavia/hello/crons'
  const fields = {
    branch: 'main',
    interval: 'weekly',
    start_at: '03:30',
    timezone: 'Europe/Berlin',
  }

  test('are set, shown and deleted', async () => {
    const answer = await browser.submit(page, page, fields)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, page])
    const text = textIn((await browser.get(page)).body)
    expect(text).toContain('The cron is set.')
    expect(text).toContain('main weekly at 03:30 Europe/Berlin')
    const [cron] = await db.selectFrom('crons').selectAll().execute()
    const deleted = await browser.submit(page, `${page}/${cron?.id}/delete`)
    expect([deleted.statusCode, deleted.headers.location]).toEqual([303, page])
    expect(await db.selectFrom('crons').selectAll().execute()).toEqual([])
    expect(await actions()).toEqual(['set_cron', 'remove_cron'])
  })

  test('report invalid fields, and keep the entered values', async () => {
    const wrong = { ...fields, branch: 'none', start_at: '25:00', timezone: 'Moon' }
    const answer = await browser.submit(page, page, wrong)
    expect(answer.statusCode).toBe(422)
    const text = textIn(answer.body)
    expect(text).toContain('3 fields need your attention.')
    expect(text).toContain('Branch: there is no such branch')
    expect(text).toContain('Timezone: enter a timezone like Europe/Berlin')
    expect(answer.body).toContain('value="Moon"')
    expect(await actions()).toEqual([])
  })

  test('of another repository are not found', async () => {
    const other = await make.repository({ name: 'other' })
    await putBranch(db, other.id, 'main')
    await browser.submit(page, page, fields)
    const [cron] = await db.selectFrom('crons').selectAll().execute()
    const { form_token } = Object.fromEntries(
      [...(await browser.get(page)).body.matchAll(/name="(form_token)" value="([^"]+)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )
    const path = `/octavia/other/crons/${cron?.id}/delete`
    expect((await browser.post(path, { form_token: form_token ?? '' })).statusCode).toBe(404)
    expect(await db.selectFrom('crons').selectAll().execute()).toHaveLength(1)
  })
})

describe('keys', () => {
  const page = '/octavia/hello/keys'
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const value = privateKey.export({ type: 'sec1', format: 'pem' }).toString()

  test('are set and removed, and a private key is never shown', async () => {
    const answer = await browser.submit(page, page, {
      description: 'for submodules',
      value: value.replaceAll('\n', '\r\n'),
    })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, page])
    const { body } = await browser.get(page)
    const key = await db.selectFrom('ssh_keys').selectAll().executeTakeFirstOrThrow()
    expect(textIn(body)).toContain(`Description for submodules Fingerprint ${key.fingerprint}`)
    expect(body).not.toContain('PRIVATE KEY')
    const removed = await browser.submit(page, `${page}/delete`)
    expect([removed.statusCode, removed.headers.location]).toEqual([303, page])
    expect(await db.selectFrom('ssh_keys').selectAll().execute()).toEqual([])
    expect(await actions()).toEqual(['set_ssh_key', 'remove_ssh_key'])
  })

  test('that cannot be used are refused, and not returned', async () => {
    const answer = await browser.submit(page, page, { description: 'mine', value: 'hunter2' })
    expect(answer.statusCode).toBe(422)
    expect(textIn(answer.body)).toContain('Private key: this is not a private key for SSH')
    expect(answer.body).toContain('value="mine"')
    expect(answer.body).not.toContain('hunter2')
    expect(await actions()).toEqual([])
  })

  test('show the public part of the generated pair', async () => {
    expect(textIn((await browser.get(page)).body)).toContain('It is generated when it is needed')
    await putKeyPair(db, {
      ...{ repository_id: repository.id, public_key: 'PUBLIC', fingerprint: 'aa:bb' },
      sealed_private_key: 'SEALED',
    })
    const { body } = await browser.get(page)
    expect(textIn(body)).toContain('Fingerprint aa:bb PUBLIC')
    expect(body).not.toContain('SEALED')
  })
})

test('the settings link to keys and crons, whose forms are refused without the token of their page', async () => {
  const { body } = await browser.get('/octavia/hello/settings')
  for (const path of ['keys', 'crons']) {
    expect(body).toContain(`href="/octavia/hello/${path}"`)
    expect((await browser.post(`/octavia/hello/${path}`, {})).statusCode).toBe(403)
  }
})
