import { beforeEach, describe, expect, test } from 'vitest'
import type { Build } from '../../../../src/domain/build.ts'
import type { Job } from '../../../../src/domain/job/job.ts'
import type { User } from '../../../../src/domain/owner.ts'
import type { Repository } from '../../../../src/domain/repository.ts'
import { createServer } from '../../../../src/http/server.ts'
import { noon, testContext } from '../../../support/context.ts'
import { testDatabase } from '../../../support/database.ts'
import { factories } from '../../../support/factories.ts'
import { hiddenIn, type Visitor, visitorOf } from '../../login-scene.ts'
import { audited } from '../../v2/roles.ts'
import { tagsIn, textIn } from '../reading.ts'

const db = await testDatabase()
const make = factories(db)

let repository: Repository
let anna: User & { token: string }
let browser: Visitor
let build: Build
let jobs: Job[]

beforeEach(async () => {
  repository = await make.repository({ name: 'hello' })
  anna = await make.user('anna')
  await make.permission(anna, repository, 'push')
  browser = visitorOf(await createServer(testContext(db)))
  build = await make.build({ repository, state: 'failed' })
  jobs = [
    await make.job({ build, number: '1.1', state: 'passed' }),
    await make.job({ build, number: '1.2', state: 'failed' }),
  ]
})

const logIn = (user: { token: string }) =>
  browser.submit('/login', '/auth/handshake', { codehost_token: user.token })

const page = () => `/octavia/hello/builds/${build.id}`
const jobPage = (job: Job | undefined) => `/octavia/hello/jobs/${job?.id}`

/** Every form of a session is sent with the same token. */
const token = async () => hiddenIn((await browser.get('/profile')).body)

const states = async () => {
  const rows = await db.selectFrom('jobs').select('state').orderBy('id').execute()
  return rows.map(({ state }) => state)
}

const runs = () => db.updateTable('jobs').set({ state: 'started', finished_at: null }).execute()

/** Each form with what it leaves behind. */
const forms: [string, () => string, () => Promise<unknown>, string[], object][] = [
  [
    'restart the failed jobs',
    () => `${page()}/restart_failed`,
    async () => {},
    ['passed', 'created'],
    { action: 'restart', subject: 'build 1' },
  ],
  [
    'restart all jobs',
    () => `${page()}/restart`,
    async () => {},
    ['created', 'created'],
    { action: 'restart', subject: 'build 1' },
  ],
  [
    'cancel a build',
    () => `${page()}/cancel`,
    async () => {
      await runs()
      await db.updateTable('builds').set({ state: 'started', finished_at: null }).execute()
    },
    ['canceled', 'canceled'],
    { action: 'cancel', subject: 'build 1' },
  ],
  [
    'restart a job',
    () => `${jobPage(jobs[1])}/restart`,
    async () => {},
    ['passed', 'created'],
    { action: 'restart', subject: 'job 2' },
  ],
  [
    'cancel a job',
    () => `${jobPage(jobs[1])}/cancel`,
    async () => {
      await db.updateTable('builds').set({ state: 'started', finished_at: null }).execute()
      await runs()
    },
    ['started', 'canceled'],
    { action: 'cancel', subject: 'job 2' },
  ],
]

describe.each(forms)('the form to %s', (_, form, prepare, after, record) => {
  test('succeeds, shows a notice once, and leaves an audit record', async () => {
    await prepare()
    await logIn(anna)
    const answer = await browser.post(form(), await token())
    const back = form().replace(/\/[a-z_]+$/, '')
    expect([answer.statusCode, answer.headers.location]).toEqual([303, back])
    expect(await states()).toEqual(after)
    const next = await browser.get(back)
    expect(tagsIn(next.body).some(({ attributes }) => attributes.class === 'notice said')).toBe(
      true,
    )
    expect((await browser.get(back)).body).not.toContain('notice said')
    expect((await audited(db)).at(-1)).toMatchObject({ actor: 'anna', ...record })
  })

  test('is refused to readers, strangers and anonymous visitors', async () => {
    await prepare()
    const before = await states()
    expect((await browser.post(form(), {})).statusCode).toBe(401)
    await logIn(await make.user('stranger'))
    expect((await browser.post(form(), await token())).statusCode).toBe(403)
    expect(await states()).toEqual(before)
  })

  test('is refused without the token of its page', async () => {
    await prepare()
    const before = await states()
    await logIn(anna)
    for (const fields of [{}, { form_token: '' }, { form_token: 'x'.repeat(43) }]) {
      expect((await browser.post(form(), fields)).statusCode).toBe(403)
    }
    expect(await states()).toEqual(before)
  })

  test('is refused if the browser reports that another site sent it', async () => {
    await prepare()
    const before = await states()
    await logIn(anna)
    for (const site of ['cross-site', 'same-site']) {
      const sent = await browser.post(form(), await token(), { 'sec-fetch-site': site })
      expect(sent.statusCode).toBe(403)
    }
    expect(await states()).toEqual(before)
    const own = await browser.post(form(), await token(), { 'sec-fetch-site': 'same-origin' })
    expect(own.statusCode).toBe(303)
  })

  test('looks missing in a private repository', async () => {
    await prepare()
    await db.updateTable('repositories').set({ private: true }).execute()
    await logIn(await make.user('stranger'))
    expect((await browser.post(form(), await token())).statusCode).toBe(404)
  })
})

describe('an action that cannot be carried out is explained on the same page:', () => {
  beforeEach(() => logIn(anna))

  test('a running build is not restarted', async () => {
    await db.updateTable('builds').set({ state: 'started', finished_at: null }).execute()
    const answer = await browser.post(`${page()}/restart`, await token())
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain('<title>Error: ')
    expect(textIn(answer.body)).toContain(
      'Nothing was changed. Build is running, cannot be restarted.',
    )
  })

  test('a passed build has no failed jobs to restart', async () => {
    await db.updateTable('jobs').set({ state: 'passed' }).execute()
    const answer = await browser.post(`${page()}/restart_failed`, await token())
    expect(answer.statusCode).toBe(422)
    expect(textIn(answer.body)).toContain('Every job of this build has passed')
  })

  test('a finished build or job is not canceled', async () => {
    for (const form of [`${page()}/cancel`, `${jobPage(jobs[1])}/cancel`]) {
      const answer = await browser.post(form, await token())
      expect(answer.statusCode).toBe(422)
      expect(textIn(answer.body)).toContain('is not running, cannot be canceled.')
    }
  })

  test('a second click does not restart the build again', async () => {
    const fields = await token()
    await browser.post(`${page()}/restart`, fields)
    const again = await browser.post(`${page()}/restart`, fields)
    expect(again.statusCode).toBe(303)
    expect((await audited(db)).filter(({ action }) => action === 'restart')).toHaveLength(1)
  })
})

test('the page to cancel a build shows its number and how many jobs will be killed', async () => {
  await db.updateTable('builds').set({ state: 'started', finished_at: null }).execute()
  await runs()
  expect((await browser.get(`${page()}/cancel`)).statusCode).toBe(401)
  await logIn(anna)
  const { body } = await browser.get(`${page()}/cancel`)
  expect(textIn(body)).toContain(
    'Cancel build #1? 2 of its 2 jobs have not ended; 2 of them run and will be killed.',
  )
  await db.updateTable('jobs').set({ state: 'passed', finished_at: noon }).execute()
  expect(textIn((await browser.get(`${page()}/cancel`)).body)).toContain(
    'All of its jobs have ended.',
  )
})

test('the reason why a job failed is shown on both pages, from the end of its log', async () => {
  const [, failed] = jobs
  if (!failed) throw new Error('there is no job')
  await make.log(
    failed,
    '$ npm test\r\n\u001B[31mFAIL\u001B[0m greet\r\n',
    '\u001B[31;1mThe command "npm test" exited with 1.\u001B[0m\r\n\r\nDone.\r\n',
  )
  expect(textIn((await browser.get(page())).body)).toContain(
    '1 of 2 jobs failed at npm test . What failed Failed 1.2 npm test exited with 1',
  )
  const { body } = await browser.get(jobPage(failed))
  expect(textIn(body)).toContain('2 FAIL greet 3 The command "npm test" exited with 1.')
})

test('an unknown notice is not shown', async () => {
  browser.cookies.set('__Host-service.notice', 'constructor')
  expect((await browser.get(page())).body).not.toContain('notice said')
})
