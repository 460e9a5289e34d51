import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../../src/domain/owner.ts'
import type { Repository } from '../../../../src/domain/repository.ts'
import { createServer } from '../../../../src/http/server.ts'
import { settingsOf } from '../../../../src/store/repositories/settings.ts'
import { envVarsOf } from '../../../../src/store/secrets/env-vars.ts'
import { type TestContext, testContext } from '../../../support/context.ts'
import { testDatabase } from '../../../support/database.ts'
import { factories } from '../../../support/factories.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../../../support/memory-codehost.ts'
import { hiddenIn, type Visitor, visitorOf } from '../../login-scene.ts'
import { audited } from '../../v2/roles.ts'
import { tagsIn, textIn } from '../reading.ts'

const db = await testDatabase()
const make = factories(db)

const page = '/octavia/hello'
const sha = 'a'.repeat(40)

let ctx: TestContext
let codehost: MemoryCodehost
let repository: Repository
let anna: User & { token: string }
let browser: Visitor

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  repository = await make.repository({ name: 'hello' })
  anna = await make.user('anna')
  await make.permission(anna, repository, 'push')
  browser = visitorOf(await createServer(ctx))
})

const logIn = (user: { token: string }) =>
  browser.submit('/login', '/auth/handshake', { codehost_token: user.token })
/** Every form of a session is sent with the same token. */
const token = async () => hiddenIn((await browser.get('/profile')).body)
const requests = () => db.selectFrom('requests').selectAll().execute()

describe.each([
  ['build_now', { kind: 'branch', ref: 'main' }],
  ['settings', { group: 'builds' }],
  ['variables', { name: 'A', value: '1' }],
])('the form at %s', (path, fields) => {
  const form = `${page}/${path}`
  const changes = async () => [
    (await audited(db)).map(({ action }) => action).filter((action) => action !== 'log_in'),
    await requests(),
  ]

  test('is hidden from users without push access, and refused if they send it', async () => {
    expect((await browser.get(form)).statusCode).toBe(401)
    await logIn(await make.user('stranger'))
    expect((await browser.get(form)).statusCode).toBe(403)
    const before = await changes()
    expect((await browser.post(form, { ...fields, ...(await token()) })).statusCode).toBe(403)
    expect(await changes()).toEqual(before)
    expect((await browser.get(page)).body).not.toContain(form)
  })

  test('is refused without the token of its page', async () => {
    await logIn(anna)
    const before = await changes()
    for (const form_token of ['', 'x'.repeat(43)]) {
      expect((await browser.post(form, { ...fields, form_token })).statusCode).toBe(403)
    }
    expect(await changes()).toEqual(before)
  })

  test('is linked on the page of the repository', async () => {
    await logIn(anna)
    expect((await browser.get(page)).body).toContain(`href="${form}"`)
    expect((await browser.get(form)).statusCode).toBe(200)
  })
})

describe('the form to build now', () => {
  const form = `${page}/build_now`
  beforeEach(() => logIn(anna))

  test('requests a tag with a message and variables', async () => {
    const answer = await browser.submit(form, form, {
      ...{ kind: 'tag', ref: 'v1.2', sha: sha.toUpperCase(), message: 'Again' },
      variables: 'DEBUG=1\r\n\r\nNAME=a b=c\r\n',
    })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, page])
    expect(await requests()).toMatchObject([
      {
        event_type: 'api',
        ref: 'refs/tags/v1.2',
        after_sha: sha,
        commit_message: 'Again',
        variables: { DEBUG: '1', NAME: 'a b=c' },
        sender_login: 'anna',
      },
    ])
    expect((await audited(db)).at(-1)).toMatchObject({ actor: 'anna', action: 'create_request' })
    expect(textIn((await browser.get(page)).body)).toContain('Requested. The build appears here')
  })

  test('reports invalid fields, and keeps the entered values', async () => {
    const answer = await browser.submit(form, form, {
      ...{ kind: 'tag', ref: '', sha: 'abc', message: 'Again' },
      variables: 'A=1\nno variable',
    })
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain('<title>Error: ')
    const text = textIn(answer.body)
    expect(text).toContain('3 fields need your attention.')
    expect(text).toContain('Name: enter the name of a branch or tag')
    expect(text).toContain('Commit: enter the full hash of a commit')
    expect(text).toContain('Variables: line 2 is not NAME=value')
    expect(text).toContain('A=1 no variable')
    const sent = tagsIn(answer.body).find(({ attributes }) => attributes.name === 'message')
    expect(sent?.attributes.value).toBe('Again')
    expect(await requests()).toEqual([])
  })

  test('reports that the repository is inactive', async () => {
    await db.updateTable('repositories').set({ active: false }).execute()
    const answer = await browser.submit(form, form, { kind: 'branch', ref: 'main' })
    expect(answer.statusCode).toBe(422)
    expect(textIn(answer.body)).toContain('Nothing was changed. Repository is inactive')
  })

  test('shows the jobs of a commit without requesting a build', async () => {
    codehost.commits.set('main', commitOf(sha, 'Say hello'))
    codehost.files.set(sha, 'language: node_js\nnode_js: [20, 22]\nscript: make')
    const answer = await browser.submit(form, form, { kind: 'branch', ref: 'main', do: 'preview' })
    expect(await requests()).toEqual([])
    expect([answer.statusCode, textIn(answer.body)]).toEqual([
      200,
      expect.stringContaining('It would have 2 jobs'),
    ])
  })
})

describe('the form for settings', () => {
  const form = `${page}/settings`
  beforeEach(() => logIn(anna))

  test('saves one group of settings, and turns boxes off that are not checked', async () => {
    const answer = await browser.post(form, {
      ...(await token()),
      ...{ group: 'builds', build_pushes: 'true', maximum_number_of_builds: '3' },
    })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, form])
    expect(await settingsOf(db, repository.id)).toMatchObject({
      build_pushes: true,
      build_pull_requests: false,
      maximum_number_of_builds: 3,
      // Of another group.
      job_log_access_older_than_days: 365,
    })
    expect((await audited(db)).at(-1)).toMatchObject({ action: 'change_settings' })
    expect(textIn((await browser.get(form)).body)).toContain('Saved.')
  })

  test('does not save values out of range, and reports them at their fields', async () => {
    const answer = await browser.post(form, {
      ...(await token()),
      ...{ group: 'limits', timeout_hard_limit: '181', timeout_log_silence: '' },
    })
    expect(answer.statusCode).toBe(422)
    expect(textIn(answer.body)).toContain('enter a number from 1 to 180')
    expect((await settingsOf(db, repository.id)).timeout_hard_limit).toBe(null)
  })
})

describe('the form for variables', () => {
  const form = `${page}/variables`
  beforeEach(() => logIn(anna))

  test('adds a variable, and never shows a secret', async () => {
    const answer = await browser.post(form, {
      ...(await token()),
      ...{ name: 'TOKEN', value: 'hush hush', branch: 'main' },
    })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, form])
    const [variable] = await envVarsOf(db, repository.id)
    expect(variable).toMatchObject({ name: 'TOKEN', public: false, branch: 'main' })
    const { body } = await browser.get(form)
    expect(textIn(body)).toContain('TOKEN secret main just now')
    expect(body).not.toContain('hush')
    expect((await audited(db)).at(-1)).toMatchObject({ action: 'add_env_var' })
  })

  test('shows public values', async () => {
    await browser.post(form, {
      ...(await token()),
      ...{ name: 'DATABASE', value: 'pg', public: 'true' },
    })
    expect(textIn((await browser.get(form)).body)).toContain('DATABASE pg all just now')
  })

  test('does not return a value together with errors', async () => {
    const answer = await browser.post(form, {
      ...(await token()),
      ...{ name: '1A', value: 'hush hush' },
    })
    expect(answer.statusCode).toBe(422)
    expect(textIn(answer.body)).toContain('Value: enter the value again')
    expect(answer.body).not.toContain('hush')
    expect(await envVarsOf(db, repository.id)).toEqual([])
  })

  test('does not add the same name for the same branch twice', async () => {
    const fields = { name: 'A', value: '1' }
    await browser.post(form, { ...(await token()), ...fields })
    const answer = await browser.post(form, { ...(await token()), ...fields })
    expect(answer.statusCode).toBe(422)
    expect(textIn(answer.body)).toContain('There is a variable A for all branches already.')
  })

  test('deletes variables on a page that shows their names', async () => {
    await browser.post(form, { ...(await token()), name: 'A', value: '1' })
    const [variable] = await envVarsOf(db, repository.id)
    const path = `${form}/${variable?.id}/delete`
    expect(textIn((await browser.get(path)).body)).toContain('Delete A ?')
    const answer = await browser.submit(path, path)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, form])
    expect(await envVarsOf(db, repository.id)).toEqual([])
    expect((await audited(db)).at(-1)).toMatchObject({ action: 'remove_env_var' })
  })

  test('does not find variables of another repository', async () => {
    await browser.post(form, { ...(await token()), name: 'A', value: '1' })
    const [variable] = await envVarsOf(db, repository.id)
    const other = await make.repository({ name: 'other' })
    await make.permission(anna, other, 'push')
    const path = `/octavia/other/variables/${variable?.id}/delete`
    expect((await browser.get(path)).statusCode).toBe(404)
    expect((await browser.post(path, await token())).statusCode).toBe(404)
    expect(await envVarsOf(db, repository.id)).toHaveLength(1)
  })
})

describe('the filter of builds', () => {
  test('is a part of the address, also on older pages', async () => {
    const branch = await db
      .insertInto('branches')
      .values({ repository_id: repository.id, name: 'main' } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const state of ['passed', 'failed', 'failed'] as const) {
      await make.build({ repository, state, branch_id: branch.id, duration: 60 })
    }
    await make.build({ repository, state: 'failed', event_type: 'cron' })
    const numbers = (body: string) => textIn(body).match(/#\d+ ·/g) ?? []
    expect(numbers((await browser.get(page)).body)).toHaveLength(4)
    const failed = await browser.get(`${page}?state=failed&branch=main`)
    expect(numbers(failed.body)).toEqual(['#3 ·', '#2 ·'])
    expect(textIn(failed.body)).toContain('The last 3 builds of main #1: Passed, 1 min')
    expect(numbers((await browser.get(`${page}?event=cron`)).body)).toEqual(['#4 ·'])
    const pull = await make.pullBuild({ repository })
    const { number } = await db.selectFrom('pull_requests').selectAll().executeTakeFirstOrThrow()
    for (const given of [`${number}`, `%23${number}`]) {
      const ofPull = await browser.get(`${page}?pull=${given}`)
      expect(numbers(ofPull.body)).toEqual([`#${pull.number} ·`])
      expect(ofPull.body).toContain(`name="pull" value="${number}"`)
    }
    expect(numbers((await browser.get(`${page}?pull=${number + 1}`)).body)).toEqual([])
    const none = await browser.get(`${page}?by=nobody&page=2`)
    expect(textIn(none.body)).toContain('No build matches.')
    expect(none.body).toContain('value="nobody"')
  })
})
