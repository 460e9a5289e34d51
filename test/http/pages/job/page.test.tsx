import { expect, test } from 'vitest'
import { JobPage } from '../../../../src/http/pages/job/page.tsx'
import { renderPage } from '../../../../src/http/pages/render-page.ts'
import { addressesIn, tagsIn, textIn, textOfPage } from '../reading.ts'
import {
  before,
  buildRecord,
  commitRecord,
  frame,
  jobRecord,
  noon,
  repositoryRecord,
  stageRecord,
  waitingJob,
} from '../records.ts'

const page = {
  frame,
  now: noon,
  repository: repositoryRecord(),
  build: buildRecord(),
  commit: commitRecord(),
  fromFork: false,
  job: jobRecord(),
  position: undefined,
  stage: null,
  log: 'hello\r\n',
}

test('a job shows what it is, where it comes from, its times and its log', () => {
  const job = jobRecord({
    name: 'old ruby',
    allow_failure: true,
    origin: { kind: 'include', line: 12 },
  })
  const html = renderPage(<JobPage {...page} job={job} stage={stageRecord()} />)
  expect(html).toContain('<title>Passed: octavia/hello, job 42.1 · build-service</title>')
  expect(textIn(html)).toBe(
    'Passed Job 42.1 old ruby may fail language ruby Build #42 Stage test ' +
      'Commit f00dbab Greet the world Comes from jobs.include of the build file, line 12 ' +
      'Took 1 min 5 s Created 1 hour ago Queued 1 hour ago Claimed 1 hour ago Started 1 hour ago ' +
      'Finished 1 hour ago Log To the end Plain text 1 hello End of the log. build-service 1.2.3 Documentation',
  )
  expect(addressesIn(html)).toEqual(
    expect.arrayContaining([
      '/ci/',
      '/ci/octavia/hello',
      '/ci/octavia/hello/builds/9',
      '/ci/jobs/21/log',
      '#L1',
    ]),
  )
})

test('a running job loads its page again and shows less of a long log', () => {
  const job = jobRecord({ state: 'started', started_at: before(65), finished_at: null })
  const log = 'line\n'.repeat(5000)
  const html = renderPage(<JobPage {...page} job={job} log={log} />)
  expect(html).toContain('<meta http-equiv="refresh" content="5"/>')
  expect(textIn(html)).toContain('Only the end of this log is shown, from line 3,001.')
  expect(textIn(html)).toContain('The job has not ended. This page reloads every 5 seconds.')
  expect(tagsIn(html).filter(({ attributes }) => attributes.id?.startsWith('L'))).toHaveLength(2000)
})

test('a finished job does not load its page again', () => {
  expect(renderPage(<JobPage {...page} />)).not.toContain('http-equiv')
})

test.each([
  [jobRecord(), 'This job printed nothing.'],
  [waitingJob(), 'This job has not printed anything yet.'],
])('an empty log is reported in words', (job, words) => {
  expect(textOfPage(<JobPage {...page} job={job} log="" />)).toContain(words)
})

test('a waiting job says why, and what its build waits for', () => {
  const build = buildRecord({ state: 'created', waits_for_approval: true })
  const text = textOfPage(
    <JobPage {...page} build={build} job={waitingJob({ state: 'queued' })} log="" />,
  )
  expect(text).toContain('Queued Job 42.1 It waits for a free runner.')
  expect(text).toContain('This build waits for approval.')
  expect(text).toContain('It is approved on the page of the build.')
})

test('a job that was given back shows which attempt it is', () => {
  expect(textOfPage(<JobPage {...page} job={jobRecord({ attempt: 3, resets: 2 })} />)).toContain(
    'Job 42.1 attempt 3',
  )
})

test('no secure value is shown', () => {
  const job = jobRecord({ config: { env: [{ TOKEN: { secure: 'c2VjcmV0' } }] } })
  const html = renderPage(<JobPage {...page} job={job} />)
  expect(textIn(html)).toContain('env TOKEN=[secure]')
  const fork = renderPage(<JobPage {...page} job={job} fromFork />)
  expect(textIn(fork)).not.toContain('TOKEN')
  expect(`${html}${fork}`).not.toContain('c2VjcmV0')
})

test('a job that was restarted leads to the logs of its earlier attempts', () => {
  const version = {
    job_id: 21,
    number: 1,
    state: 'failed' as const,
    created_at: before(9000),
    queued_at: null,
    received_at: null,
    started_at: before(8000),
    finished_at: before(7200),
    restarted_at: null,
    cancel_reason: null,
    lost_reason: null,
  }
  const job = jobRecord({ attempt: 2 })
  const html = renderPage(<JobPage {...page} job={job} versions={[version]} />)
  expect(textIn(html)).toContain(
    'Attempts Passed Attempt 2 1 hour ago Failed Attempt 1 2 hours ago',
  )
  expect(addressesIn(html)).toContain('/ci/octavia/hello/jobs/21?attempt=1')

  const running = waitingJob({ state: 'started' })
  const earlier = renderPage(
    <JobPage {...page} job={running} versions={[version]} shown={version} log={'old\r\n'} />,
  )
  expect(textIn(earlier)).toContain('1 old End of the log.')
  expect(earlier).not.toContain('http-equiv')
  expect(addressesIn(earlier)).toContain('/ci/jobs/21/log?attempt=1')
})

test('a log that a setting hides is not shown', () => {
  const text = textOfPage(<JobPage {...page} log="" hidden="it is old" />)
  expect(text).toContain('The log is not shown: it is old.')
  expect(text).not.toContain('printed')
})
