import { describe, expect, test } from 'vitest'
import type { Build } from '../../../../src/domain/build.ts'
import type { Job } from '../../../../src/domain/job/job.ts'
import { check } from '../../../../src/domain/request/check.ts'
import { BuildPage } from '../../../../src/http/pages/build/page.tsx'
import { renderPage } from '../../../../src/http/pages/render-page.ts'
import { addressesIn, tagsIn, textIn, textOfPage } from '../reading.ts'
import {
  before,
  buildRecord,
  commitRecord,
  frame,
  jobRecord,
  messageRecord,
  noon,
  pullRequestRecord,
  repositoryRecord,
  requestRecord,
  stageRecord,
  versionRecord,
  waitingJob,
} from '../records.ts'

const page = {
  frame,
  now: noon,
  repository: repositoryRecord(),
  build: buildRecord(),
  commit: commitRecord(),
  pullRequest: null,
  request: requestRecord(),
  fromFork: false,
  notices: [],
  messages: [],
  stages: [],
  jobs: [jobRecord()],
  positions: new Map(),
}

test('a build of a push shows its commit, its sender and its result', () => {
  const html = renderPage(<BuildPage {...page} />)
  expect(html).toContain(
    '<title>Passed: octavia/hello #42, Greet the world · build-service</title>',
  )
  expect(textIn(html)).toBe(
    'Passed Build #42 on main f00dbab Greet the world Ada Push by octavia took 1 min 40 s ' +
      '1 hour ago Its job passed. ' +
      'Jobs Jobs State Job Waited and ran Took Passed 42.1 1 min 5 s ' +
      'Its job runs with: language ruby ' +
      'Commit and times It was high time. Branch main ' +
      'Commit f00dbabe00000000000000000000000000000000 · compare All jobs together 5 min 33 s ' +
      'Created 1 hour ago Started 1 hour ago Finished 1 hour ago ' +
      'The same by API Users with push access to the repository can restart and cancel its builds. ' +
      'POST /ci/build/9/restart Restart all jobs ' +
      'POST /ci/build/9/restart_failed Restart what did not pass ' +
      'POST /ci/build/9/cancel Cancel what has not ended ' +
      'With the headers Service-API-Version: 3 and Authorization: token … . The token needs the scope ' +
      'builds , and its user push access. ' +
      'build-service 1.2.3 Documentation Queue Check a build file',
  )
  expect(addressesIn(html)).toEqual(
    expect.arrayContaining([
      '/ci/octavia/hello',
      'https://codehost.test/octavia/hello/compare/a...b',
      '/ci/octavia/hello/jobs/21',
    ]),
  )
})

test('a build of a pull request shows the source and target of the pull request', () => {
  const build = buildRecord({ event_type: 'pull_request' })
  const text = textOfPage(
    <BuildPage {...page} build={build} pullRequest={pullRequestRecord()} request={null} />,
  )
  expect(text).toContain('Pull request #7 Say goodbye From grace/hello : goodbye into main')
  expect(text).toContain('Build #42 of pull request #7 Say goodbye')
})

test('stages are shown in their order, each with its jobs', () => {
  const stages = [
    stageRecord({ id: 1, number: 1, name: 'test', state: 'failed' }),
    stageRecord({ id: 2, number: 2, name: 'deploy', state: 'canceled' }),
  ]
  const jobs = [
    jobRecord({ id: 1, stage_id: 1, number: '42.1', name: 'old', state: 'failed' }),
    jobRecord({ id: 2, stage_id: 1, number: '42.2', allow_failure: true, state: 'errored' }),
    waitingJob({
      stage_id: 2,
      number: '42.3',
      state: 'canceled',
      canceled_by_stage: true,
      cancel_reason: 'canceled because stage 1 (test) did not pass',
      config: {},
    }),
  ]
  expect(textOfPage(<BuildPage {...page} stages={stages} jobs={jobs} />)).toContain(
    'test Failed Jobs of stage test State Job language Waited and ran Took ' +
      'Failed 42.1 old ruby 1 min 5 s Errored 42.2 may fail ruby 1 min 5 s ' +
      'deploy Canceled Jobs of stage deploy State Job language Waited and ran Took ' +
      'Canceled 42.3 It was canceled because stage 1 (test) did not pass. – Commit and times',
  )
})

test('a waiting job shows the reason', () => {
  const checks = [check('stage', false, { stage: 2, running_stage: 1 })]
  const text = textOfPage(<BuildPage {...page} jobs={[waitingJob({ checks })]} />)
  expect(text).toContain('Waiting 42.1 It waits for stage 1 to end. –')
})

describe('secure values are hidden', () => {
  const config = { env: ['A=1', { secure: 'c2VjcmV0' }], deploy: { key: { secure: 'c2VjcmV0' } } }

  test.each([
    [false, 'env A=1 [secure]'],
    [true, 'runs with: A 1'],
  ])('in a build from a fork: %j', (fromFork, shown) => {
    const html = renderPage(
      <BuildPage {...page} fromFork={fromFork} jobs={[jobRecord({ config })]} />,
    )
    expect(textIn(html)).toContain(shown)
    expect(html).not.toContain('c2VjcmV0')
  })
})

test.each([
  ['parse', 'The build file cannot be used'],
  ['fetch', 'The build file could not be fetched from the code host'],
  ['too_many_jobs', 'The build file creates more than 200 jobs'],
] as const)('a build file that is unusable (%s) is explained', (config_error, words) => {
  const build = buildRecord({ state: 'errored', config_error })
  expect(textOfPage(<BuildPage {...page} build={build} />)).toContain(words)
})

describe('a build that waits for approval', () => {
  const build = buildRecord({ state: 'created', waits_for_approval: true })
  const pullRequest = pullRequestRecord()
  const request = requestRecord({ head_commit: pullRequest.head_sha })
  const waiting = { ...page, build, pullRequest, request }

  test('explains that a maintainer has to review the commit', () => {
    const html = renderPage(<BuildPage {...waiting} />)
    expect(textIn(html)).toContain(
      'This build waits for approval. Its commit comes from a fork, so a maintainer has to review ' +
        'it first. Anyone with push access can approve it on this page when logged in,',
    )
    expect(html).not.toContain('<form')
  })

  test('has a form for users who can approve it, with the id of the commit', () => {
    const html = renderPage(<BuildPage {...waiting} canApprove />)
    expect(html).toContain('action="/ci/octavia/hello/builds/9/approve"')
    expect(textIn(html)).toContain(`for commit ${pullRequest.head_sha} alone`)
    expect(textIn(html)).toContain('Approve beef000 and build it')
  })

  test('has no form if a blocked user caused it', () => {
    const html = renderPage(<BuildPage {...waiting} canApprove blockedSender="mallory" />)
    expect(textIn(html)).toContain('mallory is blocked here: to build the commit')
    expect(html).not.toContain('<form')
  })

  test('has no form if the pull request has another head', () => {
    const moved = requestRecord({ head_commit: 'f'.repeat(40) })
    const html = renderPage(<BuildPage {...waiting} request={moved} canApprove />)
    expect(textIn(html)).toContain('The pull request has new commits')
    expect(html).not.toContain('<form')
  })
})

test('a finding links to the page about its code', () => {
  const html = renderPage(<BuildPage {...page} messages={[messageRecord()]} />)
  expect(addressesIn(html)).toContain('/ci/docs/lint/unknown_key')
})

test('findings show their level, text and location', () => {
  const messages = [
    messageRecord(),
    messageRecord({ level: 'error', text: 'no map', code: 'invalid_type', line: 9, column: null }),
    messageRecord({
      level: 'info',
      text: 'old key',
      code: 'deprecated_key',
      line: null,
      column: null,
    }),
  ]
  expect(textOfPage(<BuildPage {...page} messages={messages} />)).toContain(
    'Findings in the build file ' +
      'Warning unknown key "scirpt", did you mean "script"? .service.yml, line 4, column 1 · unknown_key ' +
      'Error no map .service.yml, line 9 · invalid_type Note old key .service.yml · deprecated_key',
  )
})

test('keys of jobs that have no effect are reported once', () => {
  const jobs = [1, 2].map((id) => jobRecord({ id, config: { services: ['redis'], group: 'edge' } }))
  expect(textOfPage(<BuildPage {...page} jobs={jobs} />)).toContain(
    'Some keys in this build file have no effect here. ' +
      'The key "services" has no effect in this service: outside of containers, no services are started. ' +
      'The key "group" has no effect in this service: jobs run on whichever runner is free. Jobs',
  )
})

test('a distribution without effect is only reported if the build file names it', () => {
  const job = { config: { dist: 'focal' } }
  const assumed = jobRecord({ ...job, origin: { kind: 'default', line: null, assumed: ['dist'] } })
  const named = jobRecord({ ...job, origin: { kind: 'default', line: null, assumed: [] } })
  const note = 'The key "dist" has no effect in this service'
  expect(textOfPage(<BuildPage {...page} jobs={[assumed]} />)).not.toContain(note)
  expect(textOfPage(<BuildPage {...page} jobs={[named]} />)).toContain(note)
})

describe('why jobs ended with an error', () => {
  const errored = (number: string, id: number, reason: string | null) =>
    jobRecord({ id, number, state: 'errored', reason })
  const jobs = [
    errored('42.1', 1, 'Language "php" needs php.'),
    errored('42.2', 2, 'The commit cannot be fetched.'),
    errored('42.3', 3, 'Language "php" needs php.'),
    errored('42.4', 4, null),
  ]

  test('is shown once for jobs with the same reason', () => {
    const readable = new Set([1, 2, 3, 4])
    expect(textOfPage(<BuildPage {...page} jobs={jobs} readable={readable} />)).toContain(
      'Why jobs ended with an error Language "php" needs php. jobs 42.1, 42.3 ' +
        'The commit cannot be fetched. job 42.2 Jobs',
    )
  })

  test('is hidden for jobs whose logs the viewer cannot read', () => {
    const text = textOfPage(<BuildPage {...page} jobs={jobs} readable={new Set([2])} />)
    expect(text).toContain(
      'Why jobs ended with an error The commit cannot be fetched. job 42.2 Jobs',
    )
    expect(text).not.toContain('needs php')
  })
})

test('jobs for which no runner has the right machine are counted', () => {
  const osx = { os: 'osx', unmet: 'os osx' }
  const jobs = [
    jobRecord({ id: 1 }),
    jobRecord({ id: 2, state: 'canceled', ...osx }),
    jobRecord({ id: 3, ...osx, found_machine: 'linux on amd64' }),
  ]
  expect(textOfPage(<BuildPage {...page} jobs={jobs} />)).toContain(
    'Some keys in this build file have no effect here; 1 of 3 jobs not run: os osx' +
      '; 1 of 3 jobs run on another machine: os osx.',
  )
})

test('the version that a job ran with is shown if the job requests another version', () => {
  const config = { language: 'node_js', node_js: '8' }
  const jobs = [
    jobRecord({ config, found_version: '20.20.2' }),
    jobRecord({ id: 2, config, found_version: '20.20.2' }),
    jobRecord({ id: 3, config: { language: 'ruby', rvm: '9' } }),
  ]
  expect(textOfPage(<BuildPage {...page} jobs={jobs} />)).toContain(
    'Some keys in this build file have no effect here. .service.yml asks for "node_js: 8", which jobs do ' +
      'not find on this machine: the job runs with 20.20.2. Jobs',
  )
})

test('the checks of the request show why the build was created', () => {
  const request = requestRecord({
    checks: [check('repository_active', true, { slug: 'octavia/hello' })],
  })
  expect(textOfPage(<BuildPage {...page} request={request} />)).toContain(
    'Why this build was created ✓ The repository is active slug: octavia/hello',
  )
})

test.each([
  ['finished', buildRecord(), [jobRecord()], false],
  ['started', buildRecord({ state: 'started', finished_at: null }), [jobRecord()], true],
  ['finished early', buildRecord(), [jobRecord({ state: 'started', finished_at: null })], true],
])('the page shows its time while a job or the build is running (%s)', (_, build, jobs, says) => {
  const html = renderPage(<BuildPage {...page} build={build} jobs={jobs} />)
  expect(textIn(html).includes('As of 12:00:00 UTC . Load again')).toBe(says)
  expect(html).not.toContain('http-equiv')
})

describe('the state of a build is described in a sentence', () => {
  const job = (id: number, changes: Partial<Job>) =>
    jobRecord({ id, number: `42.${id}`, ...changes })
  const failed = job(1, { state: 'failed' })
  const failure = {
    ended: { command: 'npm test', code: 1 },
    lines: [{ number: null, text: 'FAIL greet' }],
    errors: [],
  }
  const open = { started_at: null, finished_at: null }

  test.each<[string, Partial<Build>, Job[]]>([
    ['All 2 jobs passed.', {}, [job(1, {}), job(2, {})]],
    [
      '1 of 2 jobs passed; the others did not have to.',
      {},
      [job(1, {}), job(2, { state: 'failed', allow_failure: true })],
    ],
    [
      '1 of 2 jobs failed at npm test . The build before it had passed.',
      { state: 'failed', previous_state: 'passed' },
      [failed, job(2, {})],
    ],
    [
      '1 of 2 jobs failed at npm test ; 1 ended with an error.',
      { state: 'errored' },
      [failed, job(2, { state: 'errored', reason: 'No node.' })],
    ],
    [
      'Its job ended with an error: No node .',
      { state: 'errored' },
      [job(2, { state: 'errored', reason: 'No node.' })],
    ],
    [
      'It was canceled by octavia. 1 of 2 jobs had ended before.',
      { state: 'canceled' },
      [job(1, {}), job(2, { state: 'canceled', cancel_reason: 'canceled by octavia' })],
    ],
    [
      '1 of 2 jobs done: 1 of 2 jobs failed at npm test .',
      { state: 'started', finished_at: null },
      [failed, job(2, { state: 'started', finished_at: null })],
    ],
    [
      'It waits for a free runner, as number 3 in the queue.',
      { state: 'created', ...open },
      [job(7, { state: 'queued', checks: [], ...open })],
    ],
    ['It has no jobs.', { state: 'errored' }, []],
  ])('%s', (sentence, changes, jobs) => {
    const text = textOfPage(
      <BuildPage
        {...page}
        build={buildRecord(changes)}
        jobs={jobs}
        failures={new Map([[1, failure]])}
        positions={new Map([[7, 3]])}
      />,
    )
    expect(text.replaceAll(' :', ':')).toContain(sentence)
  })
})

test('a failed job shows its command and the end of its output', () => {
  const failure = {
    ended: { command: 'npm test', code: 1 },
    lines: [{ number: null, text: 'FAIL greet' }],
    errors: [],
  }
  const jobs = [jobRecord({ id: 1, state: 'failed' })]
  const build = buildRecord({ state: 'failed' })
  const html = renderPage(
    <BuildPage {...page} build={build} jobs={jobs} failures={new Map([[1, failure]])} />,
  )
  expect(textIn(html)).toContain(
    'npm test exited with 1 after 1 min 5 s Open the log of job 42.1 FAIL greet',
  )
  expect(addressesIn(html)).toContain('/ci/octavia/hello/jobs/1#failure')
})

test('jobs are compared with a column for each key and variable in which they differ', () => {
  const of = (id: number, node: number, env: string) =>
    jobRecord({
      id,
      number: `42.${id}`,
      config: { language: 'node_js', node_js: node, env: [env] },
      origin: { kind: 'matrix', line: 1, differing: ['node_js'] },
    })
  const text = textOfPage(
    <BuildPage
      {...page}
      jobs={[of(1, 20, 'DB=pg MODE=x'), of(2, 22, 'DB=my MODE=x'), of(3, 22, 'DB="a b"')]}
    />,
  )
  expect(text).toContain('State Job node_js DB MODE env Waited and ran Took')
  expect(text).toContain('42.1 20 pg x 1 min 5 s')
  expect(text).toContain('42.3 22 DB="a b" 1 min 5 s')
  expect(text).toContain('The same in all jobs: language node_js')
})

describe('the buttons of a build', () => {
  const actionsOf = (html: string) =>
    tagsIn(html).flatMap(({ name, attributes }) => (name === 'form' ? attributes.action : []))
  const all = { restart: true, cancel: true }

  test('are hidden from users without the right', () => {
    expect(actionsOf(renderPage(<BuildPage {...page} />))).toEqual([])
  })

  test('restart a passed build or one of its jobs', () => {
    expect(actionsOf(renderPage(<BuildPage {...page} can={all} />))).toEqual([
      '/ci/octavia/hello/builds/9/restart',
      '/ci/octavia/hello/jobs/21/restart',
    ])
  })

  test('start with the button that restarts the failed jobs', () => {
    const build = buildRecord({ state: 'failed' })
    const jobs = [jobRecord({ state: 'failed' })]
    const html = renderPage(<BuildPage {...page} build={build} jobs={jobs} can={all} />)
    expect(actionsOf(html)[0]).toBe('/ci/octavia/hello/builds/9/restart_failed')
    expect(textIn(html)).toContain('Restart what did not pass (1)')
  })

  test('lead to a confirmation before a running build is canceled', () => {
    const build = buildRecord({ state: 'started', finished_at: null })
    const jobs = [jobRecord({ state: 'started', finished_at: null })]
    const html = renderPage(<BuildPage {...page} build={build} jobs={jobs} can={all} />)
    expect(actionsOf(html)).toEqual([])
    expect(addressesIn(html)).toContain('/ci/octavia/hello/builds/9/cancel')
  })

  test('are hidden if the build file cannot be used', () => {
    const build = buildRecord({ state: 'errored', config_error: 'parse' })
    const jobs = [jobRecord({ state: 'errored' })]
    const html = renderPage(<BuildPage {...page} build={build} jobs={jobs} can={all} />)
    expect(actionsOf(html)).toEqual([])
  })
})

test('exact times are shown on hovering', () => {
  const build = buildRecord({ started_at: before(60) })
  expect(renderPage(<BuildPage {...page} build={build} />)).toContain(
    '<time datetime="2025-05-20T11:59:00.000Z" title="2025-05-20 11:59:00 UTC">1 minute ago</time>',
  )
})

describe('a build that is not of the newest commit', () => {
  const standing = (given: object) => textIn(renderPage(<BuildPage {...page} {...given} />))
  const pullRequest = pullRequestRecord({ head_sha: 'abcdef1234' })

  test('of a pull request shows the newer head, with a link to its build', () => {
    const request = requestRecord({ head_commit: 'f00dbab' })
    const html = renderPage(
      <BuildPage {...page} {...{ request, pullRequest }} newer={{ id: 12, number: 50 }} />,
    )
    expect(textIn(html)).toContain(
      'Superseded: the pull request is at abcdef1 now, see build #50 .',
    )
    expect(addressesIn(html)).toContain('/ci/octavia/hello/builds/12')
    expect(standing({ request, pullRequest })).toContain('is at abcdef1 now.')
    const current = requestRecord({ head_commit: 'abcdef1234' })
    expect(standing({ request: current, pullRequest })).not.toContain('Superseded')
  })

  test('of a merge queue reports it, also when its commit has left the queue', () => {
    const ref = `refs/heads/gh-readonly-queue/main/pr-7-${'a'.repeat(40)}`
    const request = requestRecord({ ref, base_ref: 'main' })
    expect(standing({ request, pullRequest })).toContain(
      'For the merge queue of main : #7 , merged after the pull requests ahead of it.',
    )
    const left = { ...request, action: 'destroyed' }
    expect(standing({ request: left, pullRequest })).toContain('The commit has left the queue.')
  })

  test.each([
    ['0'.repeat(40), 'the branch was already deleted.'],
    ['abcdef1234', 'the branch was already at abcdef1 .'],
  ])('of a late push, when the branch was at %s, reports it', (overtaken_by, expected) => {
    const request = requestRecord({ overtaken_by })
    expect(standing({ request })).toContain(`Late: when this push arrived, ${expected}`)
  })
})

test('earlier attempts are listed with their logs', () => {
  const version = versionRecord({
    job_id: 21,
    number: 1,
    state: 'errored',
    lost_reason: 'the runner went away',
  })
  const html = renderPage(<BuildPage {...page} versions={[version]} />)
  expect(textIn(html)).toContain(
    '1 earlier attempt Errored Job 42.1, attempt 1 Lost: the runner went away',
  )
  expect(addressesIn(html)).toContain('/ci/octavia/hello/jobs/21?attempt=1')
})
