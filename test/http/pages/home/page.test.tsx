import { expect, test } from 'vitest'
import { HomePage } from '../../../../src/http/pages/home/page.tsx'
import { renderPage } from '../../../../src/http/pages/render-page.ts'
import { addressesIn, textIn, textOfPage } from '../reading.ts'
import { before, buildRecord, commitRecord, frame, noon, repositoryRecord } from '../records.ts'

test('each repository shows its last build', () => {
  const html = renderPage(
    <HomePage
      frame={frame}
      now={noon}
      repositories={[
        { repository: repositoryRecord(), build: buildRecord(), commit: commitRecord() },
        {
          repository: repositoryRecord({ name: 'runs', private: true }),
          build: buildRecord({
            id: 10,
            state: 'started',
            started_at: before(90),
            finished_at: null,
          }),
          commit: null,
        },
      ]}
    />,
  )
  expect(textIn(html)).toBe(
    'Repositories Passed octavia/hello #42 f00dbab Greet the world 1 min 40 s 1 hour ago ' +
      'Running octavia/runs private #42 1 min 30 s 1 minute ago build-service 1.2.3 Documentation Queue Check a build file',
  )
  expect(addressesIn(html)).toEqual(
    expect.arrayContaining([
      '/ci/octavia/hello',
      '/ci/octavia/hello/builds/9',
      '/ci/octavia/runs',
      '/ci/octavia/runs/builds/10',
    ]),
  )
})

test('a repository without a build explains it', () => {
  const repository = repositoryRecord({ active: false, description: 'Greets' })
  const page = (
    <HomePage frame={frame} now={noon} repositories={[{ repository, build: null, commit: null }]} />
  )
  expect(textOfPage(page)).toContain('No builds octavia/hello not active Greets')
})

test('a page without repositories explains how to add one', () => {
  const text = textOfPage(<HomePage frame={frame} now={noon} repositories={[]} />)
  expect(text).toContain('There are no repositories yet')
  expect(text).toContain('build-service local add PATH')
  expect(text).toContain('install the app')
})
