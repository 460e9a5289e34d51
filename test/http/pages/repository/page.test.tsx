import { expect, test } from 'vitest'
import { check } from '../../../../src/domain/request/check.ts'
import { renderPage } from '../../../../src/http/pages/render-page.ts'
import { RepositoryPage } from '../../../../src/http/pages/repository/page.tsx'
import { addressesIn, textIn, textOfPage } from '../reading.ts'
import {
  before,
  buildRecord,
  commitRecord,
  frame,
  noon,
  pullRequestRecord,
  repositoryRecord,
  requestRecord,
} from '../records.ts'

const page = {
  frame,
  now: noon,
  repository: repositoryRecord(),
  notices: [],
  builds: [],
  requests: [],
  deliveries: [],
  hadBuildFile: false,
  paging: { number: 1, size: 50, count: 0 },
  filter: { branch: '', state: '', event: '', by: '', pull: '' } as const,
}

test('builds show their branch, tag or pull request, and their commit', () => {
  const html = renderPage(
    <RepositoryPage
      {...page}
      builds={[
        {
          build: buildRecord({
            id: 12,
            number: 44,
            state: 'created',
            started_at: null,
            finished_at: null,
            created_at: before(10),
          }),
          commit: commitRecord(),
          pullRequest: pullRequestRecord(),
        },
        {
          build: buildRecord({ id: 11, number: 43, state: 'failed' }),
          commit: commitRecord({ tag_name: 'v1' }),
          pullRequest: null,
        },
        { build: buildRecord(), commit: commitRecord({ author_name: null }), pullRequest: null },
        { build: buildRecord({ id: 8, number: 41 }), commit: null, pullRequest: null },
      ]}
    />,
  )
  expect(textIn(html)).toBe(
    'octavia/hello Builds ' +
      'Branch State any Waiting Starting Running Passed Failed Errored Canceled ' +
      'Event any Push Pull request Request by API Cron By Pull request Filter ' +
      'Waiting #44 · pull request #7 Say goodbye f00dbab Greet the world · Ada – just now ' +
      'Failed #43 · tag v1 f00dbab Greet the world · Ada 1 min 40 s 1 hour ago ' +
      'Passed #42 · main f00dbab Greet the world 1 min 40 s 1 hour ago ' +
      'Passed #41 1 min 40 s 1 hour ago build-service 1.2.3 Documentation Queue Check a build file',
  )
  expect(addressesIn(html)).toEqual(
    expect.arrayContaining([
      '/ci/octavia/hello/builds/12',
      'https://codehost.test/octavia/hello/pull/7',
      '/ci/octavia/hello/builds/11',
      '/ci/octavia/hello/builds/9',
    ]),
  )
})

test('a request that was not built shows the reason, with all its checks', () => {
  const request = requestRecord({
    result: 'rejected',
    reason: 'branch_excluded',
    message: 'branch not included: try matches no entry of branches.only',
    checks: [
      check('commit', true),
      check('branches', false, { branch: 'try' }, { file: '.service.yml', line: 14 }),
    ],
  })
  const requests = [{ request, commit: commitRecord({ branch: 'try' }), pullRequest: null }]
  expect(textOfPage(<RepositoryPage {...page} requests={requests} />)).toContain(
    'Requests that were not built Rejected branch not included: try matches no entry of ' +
      'branches.only branch_excluded Push by octavia · try · f00dbab Greet the world ' +
      'All checks ✓ There is a commit to build ' +
      '✗ The branch filter of the build file excludes it branch: try .service.yml, line 14 2 hours ago',
  )
})

test('an undecided request is shown as open', () => {
  const request = requestRecord({ result: null, sender_login: null, ref: 'refs/heads/x' })
  const requests = [{ request, commit: null, pullRequest: null }]
  expect(textOfPage(<RepositoryPage {...page} requests={requests} />)).toContain(
    'Open Not decided yet Push · refs/heads/x 2 hours ago',
  )
})

test('open requests are listed apart from requests that were not built', () => {
  const [open, rejected] = [requestRecord({ result: null }), requestRecord({ result: 'rejected' })]
  const requests = [open, rejected].map((request) => {
    return { request: { ...request, message: null }, commit: null, pullRequest: null }
  })
  const text = textOfPage(<RepositoryPage {...page} requests={requests} />)
  expect(text).toMatch(
    /Requests that are still open Open .* Requests that were not built Rejected /,
  )
  const alone = textOfPage(<RepositoryPage {...page} requests={requests.slice(0, 1)} />)
  expect(alone).not.toContain('not built')
})

test.each([
  [true, 'Add a .service.yml and push it'],
  [false, 'The repository is not active here, so its pushes are not built.'],
])('a page without builds explains what to do (active: %s)', (active, advice) => {
  const text = textOfPage(<RepositoryPage {...page} repository={repositoryRecord({ active })} />)
  expect(text).toContain('There is no build yet.')
  expect(text).toContain(advice)
})

test('advice to add a build file is shown only if there has never been one and there are no requests', () => {
  const requests = [{ request: requestRecord(), commit: null, pullRequest: null }]
  for (const given of [{ hadBuildFile: true }, { requests }, { hadBuildFile: true, requests }]) {
    const text = textOfPage(<RepositoryPage {...page} {...given} />)
    expect(text).toContain('There is no build yet.')
    expect(text).not.toContain('Add a .service.yml')
  }
})
