import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { syncInstallations } from '../../src/flow/repositories/sync-installations.ts'
import { examine } from '../../src/service/examine/examine.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { textIn } from '../http/pages/reading.ts'
import { appSettings, atRest, eventually, isPassed, passed, toldOf } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { deviations } from '../support/codehost/description.ts'
import type { Repository } from '../support/codehost/tables.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import {
  deliver,
  emptyEverything,
  expectOnePassedBuild,
  unpushedCommit,
} from '../support/local-story.ts'
import { freePort } from '../support/ports.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-app-'))
const host = await startCodehost()

const env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0', RUNNER_SLOTS: '1' }
const METRICS_ADDRESS = `127.0.0.1:${await freePort()}`
const config = readConfig({ ...env, METRICS_ADDRESS, ...appSettings(host) })

let service: Service
let count = 0

beforeAll(async () => {
  service = await startService(config, { log: testLog })
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
})

afterEach(async () => {
  await atRest(db)
  await emptyEverything(db)
})

afterAll(async () => {
  await service.stop()
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A repository whose owner has just installed the app, and that the service knows. */
async function installed(given: Parameters<typeof host.addRepository>[0] = {}) {
  const owner = `owner-${(count += 1)}`
  const repository = await host.addRepository({ owner, ...given })
  await eventually(async () => {
    const known = await db.selectFrom('repositories').select('codehost_id').execute()
    expect(known).toContainEqual({ codehost_id: repository.id })
  })
  return repository
}

const jobs = () => db.selectFrom('jobs').select(['number', 'state']).orderBy('id').execute()

const logOf = async (id: number) => (await fetch(`${service.localUrl}/jobs/${id}/log`)).text()

const annotationsOf = (repository: Repository, sha: string) =>
  host.checkRuns(repository, sha).flatMap(({ annotations }) => annotations)

const superseded = 'error: Superseded: the pull request was closed or has another head'

// This test comes first, because the other tests empty the table of runners.
test('a job request that this service cannot satisfy is reported in its status, check, page, log and API', async () => {
  const repository = await installed()
  const file = [
    ...['language: shell', 'git: {strategy: tarball}', 'services: redis', 'jobs:', '  include:'],
    ...['    - {os: osx, script: uname -s}', '    - {arch: ppc64le, script: uname -m}'],
    ...['    - {language: matlab}', '    - {script: uname}'],
  ]
  const sha = await host.commit(repository, { files: { '.service.yml': file.join('\n') } })
  await eventually(() => expect(toldOf(host, repository, sha).at(-1)).toMatch(/^(?:error|failure)/))
  await atRest(db)
  const unmet = '2 of 4 jobs not run: os osx, arch ppc64le'
  const first = String.raw`job 1 \(os osx, language shell\) and 2 more jobs`
  expect(toldOf(host, repository, sha).at(-1)).toMatch(
    new RegExp(`^error: Errored in \\d+ s: ${first}; ${unmet}$`),
  )
  expect((await jobs()).map(({ state }) => state)).toEqual([
    ...['errored', 'errored', 'errored', 'passed'],
  ])
  const osx = '.service.yml asks for "os: osx", and the runners of this service have linux on '
  const ppc =
    '.service.yml asks for "arch: ppc64le", and the runners of this service have linux on '
  const r =
    'This version of the service has no default commands for matlab: add a script to .service.yml.'
  const effects = [
    'The key "git.strategy" has no effect in this service: the commit is always fetched with git.',
    'The key "services" has no effect in this service: outside of containers, no services are started.',
  ]
  const [check] = host.checkRuns(repository, sha)
  expect(check?.output.summary).toContain('1 finding and 4 notes:')
  expect(check?.output.summary).toContain('"os: osx" needs a runner on such a machine')

  const url = `${service.localUrl}/${repository.owner.login}/${repository.name}/builds/1`
  const shown = textIn(await (await fetch(url, { headers: { accept: 'text/html' } })).text())
  for (const reason of [osx, ppc, r, unmet]) expect(shown).toContain(reason)
  // All four jobs request it: it is reported once.
  for (const effect of effects) expect(shown.split(effect)).toHaveLength(2)

  const answer = await fetch(
    `${service.localUrl}/build/1?include=build.notes,build.jobs,job.notes`,
    { headers: { 'service-api-version': '3' } },
  )
  expect(await answer.json()).toMatchObject({
    notes: [unmet],
    jobs: [
      { notes: ['Not run: no runner of this service has os osx.', ...effects] },
      { notes: ['Not run: no runner of this service has arch ppc64le.', ...effects] },
      { notes: effects },
      { notes: effects },
    ],
  })
  for (const [index, reason] of [osx, ppc, r].entries()) {
    expect(await logOf(index + 1)).toContain(reason)
  }
  const log = await logOf(4)
  for (const effect of effects) expect(log).toContain(effect)
})

test('a push is built, and its commit gets statuses', async () => {
  const repository = await installed()
  const files = {
    '.service.yml': 'language: generic\nscript: cat greeting',
    greeting: 'hello there\n',
  }
  const sha = await host.commit(repository, { files })
  await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed))

  const slug = `${repository.owner.login}/${repository.name}`
  expect(new Set(host.statuses(repository, sha).map(({ target_url }) => target_url))).toEqual(
    new Set([`${service.url}/${slug}/builds/1`]),
  )
  expect(await jobs()).toEqual([{ number: '1.1', state: 'passed' }])
  expect(await logOf(1)).toContain('hello there')
  await eventually(() =>
    expect(host.checkRuns(repository, sha)).toMatchObject([
      { name: 'service/config', conclusion: 'neutral', status: 'completed', external_id: '1' },
    ]),
  )
})

test('a private repository is built with a token that its log does not show', async () => {
  const repository = await installed({ private: true })
  const script = 'git config --list; git remote -v; env; cat .git/config; git fetch origin || true'
  const sha = await host.commit(repository, { files: { '.service.yml': `script: "${script}"` } })
  await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed))
  expect(await db.selectFrom('jobs').select('private').execute()).toEqual([{ private: true }])
  const parts = await db.selectFrom('log_parts').select('content').orderBy('number').execute()
  const log = parts.map(({ content }) => content).join('')
  expect(log).toContain('remote.origin.url')
  expect(log).not.toMatch(/ghs_|SERVICE_CLONE_TOKEN=\w/)
})

test('a head replaced by a push while its merge is computed gets no result of the new head', async () => {
  const repository = await installed({ files: { '.service.yml': 'script: ls', base: 'x' } })
  const first = await host.commit(repository, { branch: 'topic', files: { topic: 'x' } })
  host.delayMerges(Number.POSITIVE_INFINITY)
  await host.openPull(repository, { head: 'topic' })
  await eventually(async () => {
    const request = db.selectFrom('requests').select('message').where('head_commit', '=', first)
    expect((await request.executeTakeFirst())?.message).toMatch(/^waiting: .* merge commit/)
  })
  host.delayMerges(0)
  const second = await host.commit(repository, { branch: 'topic', files: { topic: 'y' } })
  await eventually(() => expect(toldOf(host, repository, second, 'pr')).toSatisfy(isPassed))
  // On a slow machine the pending merge lasts long enough for its status to be posted first.
  const wait = 'pending: Waiting for the code host to create the merge commit'
  const ends = () => toldOf(host, repository, first, 'pr').filter((each) => each !== wait)
  await eventually(() => expect(ends()).toEqual([superseded]))
})

test('late and reordered webhooks lead to the same results', async () => {
  const repository = await installed({ files: { '.service.yml': 'script: ls', base: 'x' } })
  const release = host.holdWebhooks()
  const first = await host.commit(repository, { branch: 'topic', files: { topic: 'x' } })
  const pull = await host.openPull(repository, { head: 'topic' })
  const second = await host.commit(repository, { branch: 'topic', files: { topic: 'y' } })
  await host.closePull(pull)
  await host.reopenPull(pull)
  await release((held) => held.toReversed())
  await eventually(() => expect(toldOf(host, repository, second, 'pr').at(-1)).toBe(passed.at(-1)))
  await eventually(() => expect(toldOf(host, repository, second)).toSatisfy(isPassed))
  await eventually(() => expect(toldOf(host, repository, first)).toSatisfy(isPassed))
  await eventually(() => expect(toldOf(host, repository, first, 'pr')).toEqual([superseded]))
})

test('the repositories and pages of a renamed account move with it', async () => {
  const owner = `org-${(count += 1)}`
  const org = host.addOrganization({ login: owner, members: { octavia: 'admin' } })
  const repository = await installed({ owner, files: { '.service.yml': 'script: "true"' } })
  await host.renameOrganization(org, `${owner}-two`)
  await eventually(async () => {
    const page = await fetch(`${service.localUrl}/${owner}/${repository.name}`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    })
    expect(page.headers.get('location')).toBe(`/${owner}-two/${repository.name}`)
  })
})

test('a pull request that moves to another base and back ends with the result for its own base', async () => {
  const repository = await installed({ files: { '.service.yml': 'script: test -e good' } })
  await host.commit(repository, { branch: 'easy', files: { good: 'x' } })
  const head = await host.commit(repository, { branch: 'topic', files: { topic: 'x' } })
  const pull = await host.openPull(repository, { head: 'topic' })
  const told = () => toldOf(host, repository, head, 'pr')
  await eventually(() =>
    expect(told().at(-1)).toMatch(/^failure: Failed in \d+ s: "test -e good": exited with 1$/),
  )
  await host.editPull(pull, { base: 'easy' })
  await eventually(() => expect(told().at(-1)).toBe('success: The build passed'))
  await host.editPull(pull, { base: 'main' })
  await eventually(() =>
    expect(told().at(-1)).toMatch(/^failure: Failed in \d+ s: "test -e good": exited with 1$/),
  )
})

test('a head that is replaced by a push and then restored is built', async () => {
  const repository = await installed({ files: { '.service.yml': 'script: "true"' } })
  const release = host.holdWebhooks()
  const first = await host.commit(repository, { branch: 'topic', files: { topic: 'x' } })
  await host.openPull(repository, { head: 'topic' })
  await host.commit(repository, { branch: 'topic', files: { topic: 'y' } })
  await release()
  const told = () => toldOf(host, repository, first, 'pr').at(-1)
  await eventually(() => expect(told()).toMatch(/^error: Superseded/))
  await host.pushRef(repository, 'refs/heads/topic', { sha: first })
  await eventually(() => expect(told()).toBe('success: The build passed'))
})

test('the commit of a merge queue gets its result once in each of the two contexts', async () => {
  const repository = await installed({ files: { '.service.yml': 'script: ls', base: 'x' } })
  await host.commit(repository, { branch: 'topic', files: { topic: 'x' }, message: '[skip ci]' })
  const pull = await host.openPull(repository, { head: 'topic' })
  const sha = await host.queuePull(pull)
  for (const kind of ['push', 'pr'] as const) {
    await eventually(() => expect(toldOf(host, repository, sha, kind)).toSatisfy(isPassed))
  }
  expect(await jobs()).toEqual([{ number: '1.1', state: 'passed' }])
})

test('a pull request builds its merge, and the head gets statuses', async () => {
  const repository = await installed({ files: { '.service.yml': 'script: ls', base: 'x' } })
  const before = await host.commit(repository, { branch: 'topic', files: { topic: 'x' } })
  await host.commit(repository, { files: { later: 'x' }, message: 'Go on [skip ci]' })
  host.delayMerges(2)
  const pull = await host.openPull(repository, { head: 'topic' })
  host.delayMerges(0)
  await eventually(() => expect(toldOf(host, repository, before, 'pr')).toSatisfy(isPassed))

  const build = await db
    .selectFrom('builds')
    .innerJoin('commits', 'commits.id', 'builds.commit_id')
    .select(['builds.id', 'commits.sha', 'commits.ref', 'commits.branch'])
    .where('event_type', '=', 'pull_request')
    .executeTakeFirstOrThrow()
  expect(build).toMatchObject({
    sha: pull.merge.sha,
    ref: `refs/pull/${pull.number}/merge`,
    branch: 'main',
  })
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('build_id', '=', build.id)
    .executeTakeFirstOrThrow()
  // The merge contains both sides.
  expect(await logOf(job.id)).toMatch(/base[^]*later[^]*topic/)
  // The branch was pushed as well, which is a separate build.
  await eventually(() => expect(toldOf(host, repository, before)).toSatisfy(isPassed))
})

test('an unusable build file is reported as an error, with a check that names the line', async () => {
  const repository = await installed()
  const sha = await host.commit(repository, {
    files: { '.service.yml': 'language: c\nscript: [make\nenv: A=1\n' },
  })
  await eventually(() =>
    expect(toldOf(host, repository, sha)).toEqual([
      expect.stringMatching(/^error: \.service\.yml:3 syntax error: /),
    ]),
  )
  await eventually(() =>
    expect(host.checkRuns(repository, sha)).toMatchObject([
      { name: 'service/config', conclusion: 'failure' },
    ]),
  )
  expect(annotationsOf(repository, sha)).toMatchObject([
    { path: '.service.yml', annotation_level: 'failure', start_line: expect.any(Number) },
  ])
})

test('a finding about the build file is shown as an annotation at its line', async () => {
  const repository = await installed()
  const files = { '.service.yml': 'language: generic\nnonsense: make\nscript: "true"\n' }
  const sha = await host.commit(repository, { files })
  await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed))
  await eventually(() =>
    expect(host.checkRuns(repository, sha)).toMatchObject([{ conclusion: 'neutral' }]),
  )
  expect(annotationsOf(repository, sha)).toMatchObject([
    { path: '.service.yml', start_line: 2, annotation_level: 'warning' },
  ])
})

test('a token in plain text is reported with the build, and shown nowhere', async () => {
  const repository = await installed()
  const token = 'ghp_q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4mJ6pRs1GzQwE'
  const key = 'q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4mJ6pRs1GzQwEtY7u'
  const file = [
    ...['env:', `  - A=1 TOKEN=${token} AWS_SECRET_ACCESS_KEY=${key}`, '  - A=2'],
    ...[`name: push with ${token}`, 'script: test $A = 2 || exit 1'],
  ]
  const sha = await host.commit(repository, { files: { '.service.yml': file.join('\n') } })
  await eventually(() => expect(toldOf(host, repository, sha).at(-1)).toMatch(/^failure/))
  await atRest(db)
  expect(toldOf(host, repository, sha).at(-1)).toContain('job 1 (push with [secure])')
  const advice = 'this looks like a secret in plain text (GitHub token)'
  expect(annotationsOf(repository, sha).filter(({ message }) => message.includes(advice))).toEqual([
    expect.objectContaining({ start_line: 2, annotation_level: 'warning' }),
  ])
  const builds = `${service.localUrl}/${repository.owner.login}/${repository.name}`
  const shown = async (page: string) =>
    textIn(await (await fetch(`${builds}/${page}`, { headers: { accept: 'text/html' } })).text())
  const build = await shown('builds/1')
  expect(build).toContain(advice)
  expect(build).toContain('[secure]')
  for (const text of [build, await shown('jobs/1.1'), await logOf(1)]) {
    expect(text).not.toContain(token)
    expect(text).not.toContain(key)
  }
})

test('a pull request from a fork waits for a maintainer', async () => {
  const repository = await installed({ files: { '.service.yml': 'script: "true"' } })
  const fork = await host.fork(repository, 'stranger')
  const sha = await host.commit(fork, { branch: 'topic', files: { topic: 'x' }, by: 'stranger' })
  await host.openPull(repository, { head: 'topic', from: fork, by: 'stranger' })
  await eventually(() =>
    expect(toldOf(host, repository, sha, 'pr')).toEqual([
      'pending: Waiting for a maintainer to approve this commit',
    ]),
  )
  const waits: unknown = expect.objectContaining({ rule: 'approval', passed: false })
  await eventually(async () =>
    expect(await db.selectFrom('jobs').select(['state', 'checks']).execute()).toMatchObject([
      { state: 'created', checks: expect.arrayContaining([waits]) },
    ]),
  )
})

test('a pull request from a fork is built once a maintainer presses the button', async () => {
  const repository = await installed({ files: { '.service.yml': 'script: "true"' } })
  const fork = await host.fork(repository, 'stranger')
  const sha = await host.commit(fork, { branch: 'topic', files: { topic: 'x' }, by: 'stranger' })
  await host.openPull(repository, { head: 'topic', from: fork, by: 'stranger' })
  const waits = 'pending: Waiting for a maintainer to approve this commit'
  await eventually(() => expect(toldOf(host, repository, sha, 'pr')).toEqual([waits]))
  const checkOf = () => host.checkRuns(repository, sha).find(({ actions }) => actions.length > 0)
  await eventually(() => expect(checkOf()).toBeDefined())
  const run = checkOf()
  if (!run) throw new Error('there is no check run')
  await host.press(run, 'approve', 'stranger')
  await host.press(run, 'approve')
  const told = () => toldOf(host, repository, sha, 'pr').slice(1)
  await eventually(() => expect(told()).toSatisfy(isPassed))
  await eventually(() => expect(checkOf()).toBeUndefined())
  const records = db.selectFrom('audit_records').select(['actor', 'action'])
  expect(await records.execute()).toEqual([{ actor: repository.owner.login, action: 'approve' }])

  // The check of the build file is posted again, and nothing is built again for it.
  const posts = () =>
    host.calls.filter(({ call }) => /^(?:POST|PATCH) .*\/check-runs/.test(call)).length
  const before = posts()
  await host.rerequest(run)
  await eventually(() => expect(posts()).toBeGreaterThan(before))
  expect(await db.selectFrom('builds').select('state').execute()).toEqual([{ state: 'passed' }])
})

test('a skipped commit gets a status', async () => {
  const repository = await installed({ files: { '.service.yml': 'script: "true"' } })
  const sha = await host.commit(repository, { message: 'Say it [skip ci]' })
  await eventually(() =>
    expect(toldOf(host, repository, sha)).toEqual([
      'success: No build: skipped by commit message: it contains [skip ci]',
    ]),
  )
})

test('each status is posted once, even if no response arrives', async () => {
  const repository = await installed()
  const stop = host.failWhile({ kind: 'done_but_502' }, /^POST .*\/statuses\//)
  const sha = await host.commit(repository, { files: { '.service.yml': 'script: "true"' } })
  await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed))
  await atRest(db)
  stop()
  expect(toldOf(host, repository, sha)).toSatisfy(isPassed)
})

test('the doctor can check a service while it runs, and finds no failure', async () => {
  const repository = await installed()
  const verdicts: [string, string][] = []
  const sentences = new Map<string, string>()
  for await (const { subject, verdict, found } of examine(config, testLog)) {
    verdicts.push([subject, verdict])
    sentences.set(subject, found)
  }
  expect(sentences.get('webhooks')).toMatch(
    /; of the last day’s, \d+ made requests, \d+ were ignored/,
  )
  const failures = verdicts.filter(([, verdict]) => verdict === 'failure')
  const subjects = new Set(verdicts.map(([subject]) => subject))
  // These responses depend on where earlier tests have installed the app.
  for (const subject of ['owners', 'covered']) subjects.delete(subject)
  expect({ failures, subjects }).toEqual({
    failures: [],
    subjects: new Set([
      ...[
        'data folder',
        'database',
        'live events',
        'storage',
        'objects',
        'secrets',
        'queue',
        'executor',
        'languages',
      ],
      ...['runners', 'webhooks', 'reports', 'app', 'permissions', 'events', 'installed'],
      ...['address', 'logins', 'deliveries'],
    ]),
  })
  expect(sentences.get('logins')).toMatch(/^logins return to .*\/auth\/handshake$/)
  const { headers } = await fetch(`${service.url}/auth/handshake`, { redirect: 'manual' })
  expect(headers.get('location')).toContain(`/login/oauth/authorize?client_id=${host.app.clientId}`)
  expect(sentences.get('languages')).toMatch(/^jobs find .*\bnode_js \d+\.\d+/)
  const sha = await host.commit(repository, { files: { '.service.yml': 'script: "true"' } })
  await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed))
})

test('calls and webhooks match the published description of the code host', async () => {
  const repository = await installed({ files: { '.service.yml': 'script: "true"' } })
  await host.commit(repository, { branch: 'topic', files: { topic: 'x' } })
  const pull = await host.openPull(repository, { head: 'topic' })
  await host.closePull(pull)
  await host.rename(repository, 'renamed')
  const installation = host.tables.installations.find(({ account }) => account === repository.owner)
  if (!installation) throw new Error('there is no installation')
  await host.suspend(installation)
  await host.suspend(installation, false)
  await atRest(db)
  expect(host.deliveries.length).toBeGreaterThan(20)
  expect(deviations(host)).toEqual([])
})

test('METRICS_ADDRESS shows the metrics without a token, and the address of the service none', async () => {
  const shown = await fetch(`http://${METRICS_ADDRESS}/metrics`)
  expect(shown.status).toBe(200)
  expect(await shown.text()).toMatch(/^build_service_info\{version="/m)
  expect((await fetch(`${service.localUrl}/metrics`)).status).toBe(404)
})

test('repositories on this machine are built as well', async () => {
  const delivery = await unpushedCommit(db, 'echo from this machine')
  expect(await deliver(service.localUrl, service.ctx.sealer, delivery)).toBe(true)
  await expectOnePassedBuild(db, 1)
  expect(await logOf(1)).toContain('from this machine')
})

test('a repository that no event has announced is looked up, and its push is built', async () => {
  host.setWebhookUrl(undefined)
  const repository = await host.addRepository({ owner: 'quiet', files: { file: 'x' } })
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
  const sha = await host.commit(repository, { files: { '.service.yml': 'script: "true"' } })
  await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed))
})

test('repositories added while the service was stopped are found when it starts', async () => {
  host.setWebhookUrl(undefined)
  const one = await host.addRepository({ owner: 'early', name: 'one', default_branch: 'trunk' })
  await host.addRepository({ owner: 'early', name: 'two', private: true })
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
  await syncInstallations(service.ctx)
  await eventually(async () =>
    expect(
      await db
        .selectFrom('repositories')
        .select(['name', 'private', 'active', 'default_branch_name'])
        .where('owner_name', '=', one.owner.login)
        .orderBy('name')
        .execute(),
    ).toEqual([
      { name: 'one', private: false, active: true, default_branch_name: 'trunk' },
      { name: 'two', private: true, active: true, default_branch_name: 'main' },
    ]),
  )
})
