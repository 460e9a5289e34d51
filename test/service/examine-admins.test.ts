import { afterAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { audit } from '../../src/flow/audit.ts'
import { examineAdmins } from '../../src/service/examine/examine-admins.ts'
import type { Examined } from '../../src/service/examine/examined.ts'
import { putUser } from '../../src/store/people/users.ts'
import { appSettings } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testContext, testLog } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
const host = await startCodehost()
// The app can look up accounts only if it is installed somewhere.
await host.install('acme')
afterAll(() => host.stop())

const provider = 'codehost' as const
let login: string
let count = 0

beforeEach(() => {
  login = `octavia-${(count += 1)}`
})

async function examined(settings: Record<string, string> = {}): Promise<Examined[]> {
  const ADMINS = `local:local,codehost:${login}`
  const env = { DATA_DIR: '/nowhere', ADMINS, ...appSettings(host), ...settings }
  const all: Examined[] = []
  for await (const each of examineAdmins(readConfig(env), { db }, testLog)) all.push(each)
  return all
}

test('an administrator whose account is unchanged passes', async () => {
  const { id } = host.addUser({ login })
  const right = {
    subject: 'administrators',
    verdict: 'ok',
    found: `the same accounts as before: ${login}`,
  }
  expect(await examined()).toEqual([right])
  await putUser(db, { provider, codehost_id: id, login })
  expect(await examined()).toEqual([right])
})

test("an administrator's login that now belongs to another account is reported, whether or not that account is known here", async () => {
  const user = await putUser(db, { provider, codehost_id: 4711, login })
  await audit(
    testContext(db),
    { user, token_id: null, address: '127.0.0.1' },
    { ...{ action: 'block', subject_type: 'user', subject_id: user.id } },
  )
  const { id } = host.addUser({ login })
  const failure = [
    {
      subject: 'administrators',
      verdict: 'failure',
      found: `ADMINS names codehost:${login}, whose login now belongs to another account (${id}) than before (4711)`,
      remedy: expect.stringContaining(`take codehost:${login} out of ADMINS`),
    },
  ]
  expect(await examined()).toEqual(failure)
  await putUser(db, { provider, codehost_id: id, login })
  expect(await examined()).toEqual(failure)
})

test("an administrator's login without an account is reported, because anyone can register it", async () => {
  expect(await examined()).toEqual([
    {
      subject: 'administrators',
      verdict: 'warning',
      found: `ADMINS names codehost:${login}, which is not an account at the code host: anyone who registers that name would become an administrator`,
      remedy: `take codehost:${login} out of ADMINS, or correct it`,
    },
  ])
})

test('no check is reported if no administrator is from the code host', async () => {
  expect(await examined({ ADMINS: 'local:local' })).toEqual([])
})
