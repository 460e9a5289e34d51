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
  versionRecord,
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

test('a job shows its name, its origin, its times and its log', () => {
  const job = jobRecord({
    name: 'old ruby',
    allow_failure: true,
    origin: { kind: 'include', line: 12 },
  })
  const html = renderPage(<JobPage {...page} job={job} stage={stageRecord()} />)
  expect(html).toContain('<title>Passed: octavia/hello, job 42.1 · build-service</title>')
  expect(textIn(html)).toContain('Passed Job 42.1 old ruby may fail It passed after 1 min 5 s. ')
  expect(textIn(html)).toContain(
    ' 1 hello End of the log. What it runs with Runs with: language ruby ',
  )
  expect(textIn(html)).toContain(
    'Build #42 Stage test Commit f00dbab Greet the world ' +
      'Comes from jobs.include of the build file, line 12 Took 1 min 5 s Created 1 hour ago ' +
      'Queued 1 hour ago Claimed 1 hour ago Started 1 hour ago Finished 1 hour ago The same by API',
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

test('the page of a running job shows its time, and is not reloaded automatically', () => {
  const job = jobRecord({ state: 'started', started_at: before(65), finished_at: null })
  const html = renderPage(<JobPage {...page} job={job} log={'line\n'.repeat(5000)} />)
  expect(html).not.toContain('http-equiv')
  expect(textIn(html)).toContain('It has been running for 1 min 5 s.')
  expect(textIn(html)).toContain('As of 12:00:00 UTC . Load again')
  expect(textIn(html)).toContain('Only the end of this log is shown, from line 1,001.')
  expect(textIn(html)).toContain('The job has not ended.')
  expect(tagsIn(html).filter(({ attributes }) => attributes.id?.startsWith('L'))).toHaveLength(4000)
})

test('a failed job shows the failed command, with a link to the line', () => {
  const lines = [
    { number: 2, text: 'FAIL greet' },
    { number: 3, text: 'The command "npm test" exited with 1.' },
  ]
  const html = renderPage(
    <JobPage
      {...page}
      job={jobRecord({ state: 'failed' })}
      failure={{ ended: { command: 'npm test', code: 1 }, lines, errors: [3, 2] }}
    />,
  )
  expect(textIn(html)).toContain('Failed Job 42.1 npm test exited with 1 after 1 min 5 s.')
  expect(textIn(html)).toContain('2 FAIL greet 3 The command "npm test" exited with 1.')
  expect(addressesIn(html)).toEqual(expect.arrayContaining(['#L3', '/ci/octavia/hello/jobs/21#L2']))
  expect(tagsIn(html).map(({ attributes }) => attributes.id)).toEqual(
    expect.arrayContaining(['first-error', 'next-error', 'previous-error']),
  )
})

test('line numbers are not tab stops', () => {
  const numbers = tagsIn(renderPage(<JobPage {...page} />)).filter(
    ({ attributes }) => attributes.class === 'number',
  )
  expect(numbers.map(({ attributes }) => attributes.tabindex)).toEqual(['-1'])
})

test('controls that need the script are hidden until it runs', () => {
  const tags = tagsIn(renderPage(<JobPage {...page} />))
  const controls = tags.filter(({ attributes }) => 'data-scripted' in attributes)
  expect(controls.length).toBeGreaterThan(0)
  for (const { attributes } of controls) expect(attributes).toHaveProperty('hidden')
  expect(tags.find(({ attributes }) => attributes.id === 'find')?.attributes).toHaveProperty(
    'hidden',
  )
})

test('buttons are shown to users who can use them, and links to the neighbours to everyone', () => {
  const near = { previous: { id: 20, number: '42.0' }, next: { id: 22, number: '42.2' } }
  const actions = (html: string) =>
    tagsIn(html).flatMap(({ attributes }) => attributes.action?.replace(/.*\//, '') ?? [])
  const plain = renderPage(<JobPage {...page} {...near} />)
  expect(actions(plain)).toEqual([])
  expect(addressesIn(plain)).toEqual(
    expect.arrayContaining(['/ci/octavia/hello/jobs/20', '/ci/octavia/hello/jobs/22']),
  )
  const can = { restart: true, cancel: true }
  expect(actions(renderPage(<JobPage {...page} can={can} />))).toEqual(['restart'])
  const running = waitingJob({ state: 'started' })
  expect(actions(renderPage(<JobPage {...page} job={running} can={can} />))).toEqual(['cancel'])
})

test('the page of a finished job is not reloaded', () => {
  expect(renderPage(<JobPage {...page} />)).not.toContain('http-equiv')
})

test.each([
  [jobRecord(), 'This job printed nothing.'],
  [waitingJob(), 'This job has not printed anything yet.'],
])('an empty log is explained', (job, words) => {
  expect(textOfPage(<JobPage {...page} job={job} log="" />)).toContain(words)
})

test('a waiting job shows the reason, and the reason why its build waits', () => {
  const build = buildRecord({ state: 'created', waits_for_approval: true })
  const text = textOfPage(
    <JobPage {...page} build={build} job={waitingJob({ state: 'queued' })} log="" />,
  )
  expect(text).toContain('Queued Job 42.1 It waits for a free runner.')
  expect(text).toContain('This build waits for approval.')
  expect(text).toContain('It is approved on the page of the build.')
})

test('a job that was reset shows the number of its attempt', () => {
  expect(textOfPage(<JobPage {...page} job={jobRecord({ attempt: 3, resets: 2 })} />)).toContain(
    'Job 42.1 attempt 3',
  )
})

test('secure values are hidden', () => {
  const job = jobRecord({ config: { env: [{ TOKEN: { secure: 'c2VjcmV0' } }] } })
  const html = renderPage(<JobPage {...page} job={job} />)
  expect(textIn(html)).toContain('env TOKEN=[secure]')
  const fork = renderPage(<JobPage {...page} job={job} fromFork />)
  expect(textIn(fork)).not.toContain('TOKEN')
  expect(`${html}${fork}`).not.toContain('c2VjcmV0')
})

test('a restarted job links to the logs of its earlier attempts', () => {
  const version = versionRecord()
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

test('a log hidden by a setting is not shown', () => {
  const text = textOfPage(<JobPage {...page} log="" hidden="it is old" />)
  expect(text).toContain('The log is not shown: it is old.')
  expect(text).not.toContain('printed')
})
