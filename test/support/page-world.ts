import type { Build } from '../../src/domain/build.ts'
import type { Job } from '../../src/domain/job/job.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { addEnvVar } from '../../src/flow/secrets/env-vars.ts'
import { json } from '../../src/store/tables.ts'
import { noon, type TestContext } from './context.ts'
import type { factories } from './factories.ts'

export interface PageWorld {
  /** The path of the repository's page. */
  base: string
  repository: Repository
  builds: Record<'failed' | 'running' | 'unapproved' | 'passed', Build>
  /** The job that failed. */
  job: Job
  /** The address of each page that shows something of it, without the host. */
  addresses: string[]
}

const escape = '\u001B'

/** A log with folds, colours, `text`, and the line that says which command failed. */
const logOf = (text: string) =>
  `service_fold:start:git.checkout\r${escape}[0K$ git clone it\r\nCloning ${text}\r\n` +
  `service_fold:end:git.checkout\r${escape}[0K$ npm test\r\n${escape}[32m✓ greets one\r\n${escape}[0m` +
  `FAIL test/greet.test.js ${text}\r\nAssertionError: expected ${text}\r\n` +
  `${escape}[31;1mThe command "npm test" exited with 1.${escape}[0m\r\n\r\nDone.\r\n`

/** A repository with all that pages show, and `text` wherever a text from outside can stand. */
export async function pageWorld(
  ctx: TestContext,
  make: ReturnType<typeof factories>,
  text: string,
  // Code hosts allow no slash in them.
  names = { owner_name: text.replaceAll('/', '|'), name: text.replaceAll('/', '|') },
): Promise<PageWorld> {
  const { db } = ctx
  const repository = await make.repository({
    ...names,
    description: text,
    default_branch_name: text,
  })
  const commit = await make.commit(repository, {
    message: `${text}\n\n${text}`,
    branch: text,
    author_name: text,
    committer_name: text,
    compare_url: `https://codehost.test/${encodeURIComponent(text)}`,
  })
  const config = json({ language: 'node_js', os: text, dist: text, env: text, script: text })
  const times = {
    received_at: new Date(noon.getTime() - 90_000),
    started_at: new Date(noon.getTime() - 80_000),
    finished_at: noon,
  }
  const of = { repository, commit_id: commit.id }

  const passed = await make.build({ ...of, state: 'passed', started_at: times.started_at })
  await make.job({ build: passed, state: 'passed', number: '1.1', config, ...times })

  const failed = await make.build({ ...of, state: 'failed', started_at: times.started_at })
  const stage = await make.stage(failed, 1, text)
  const second = await make.stage(failed, 2, `${text}2`)
  const inStage = { build: failed, config, name: text, ...times }
  await make.job({ ...inStage, state: 'passed', number: '2.1', stage_id: stage.id })
  const job = await make.job({ ...inStage, state: 'failed', number: '2.2', stage_id: stage.id })
  await make.log(job, logOf(text))
  const errored = { ...inStage, stage_id: second.id, state: 'errored' as const, reason: text }
  await make.job({ ...errored, number: '2.3' })
  await make.job({
    ...{ build: failed, name: text, number: '2.4', state: 'canceled', stage_id: second.id },
    ...{ config: json({ language: 'ruby', rvm: text, env: 'A=1' }), cancel_reason: text },
  })

  const running = await make.build({ ...of, state: 'started', started_at: times.started_at })
  const started = await make.job({
    ...{ build: running, state: 'started', number: '3.1', config },
    ...{ started_at: times.started_at, received_at: times.received_at },
  })
  await make.log(started, `$ npm test\r\n${text}\r\n`)
  const waiting = await make.job({ build: running, number: '3.2', config })
  const canceled = await make.build({
    ...of,
    ...{ state: 'canceled', canceled_at: noon, auto_canceled: true },
  })
  await make.job({ build: canceled, state: 'canceled', number: '4.1', cancel_reason: text })

  const unapproved = await make.pullBuild(
    { repository, state: 'created', waits_for_approval: true },
    { from_fork: true },
  )
  await make.job({ build: unapproved, number: '5.1', config })
  await db
    .updateTable('pull_requests')
    .set({ title: text, head_ref: text, head_slug: text })
    .where('repository_id', '=', repository.id)
    .execute()
  await make.request({
    ...{ repository, commit_id: commit.id, result: 'rejected', reason: 'branch_excluded' },
    ...{ message: `branch excluded: ${text}`, sender_login: text, ref: text },
  })
  await make.delivery({
    ...{ event: 'push', action: text, outcome: text, result: 'ignored', processed_at: noon },
    repository_codehost_id: repository.codehost_id,
  })
  const actor = { user: await make.user(), token_id: null, address: '127.0.0.1' }
  const variable = await addEnvVar(ctx, actor, {
    ...{ repository_id: repository.id, name: 'TOKEN', public: true, branch: text, value: text },
  })
  await db
    .updateTable('requests')
    .set({ sender_login: text })
    .where('repository_id', '=', repository.id)
    .execute()

  const base = `/${encodeURIComponent(names.owner_name)}/${encodeURIComponent(names.name)}`
  const builds = { failed, running, unapproved, passed }
  const addresses = [
    ...['/', '/queue', '/profile'],
    ...[
      '',
      '?state=failed&by=nobody',
      '/build_now',
      '/settings',
      '/variables',
      '/keys',
      '/crons',
    ].map((path) => `${base}${path}`),
    `${base}/variables/${variable.id}/delete`,
    ...[failed, running, canceled, unapproved, passed].map(({ id }) => `${base}/builds/${id}`),
    `${base}/builds/${running.id}/cancel`,
    ...[job, started, waiting].map(({ id }) => `${base}/jobs/${id}`),
  ]
  return { base, repository, builds, job, addresses }
}

/** The pages that show nothing from outside. */
export const ownPages = [
  ...['/login', '/lint', '/docs', '/docs/lint', '/docs/lint/skip_job', '/docs/v2.1', '/docs/v3'],
  ...['/docs/v3/build', '/docs/v3/build/find', '/docs/v3/requests/create', '/not/there'],
]
