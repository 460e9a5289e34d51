// Pages are rendered on the event loop, so a public page must not take long.
import { expect, test } from 'vitest'
import { BuildPage } from '../../src/http/pages/build/page.tsx'
import { HomePage } from '../../src/http/pages/home/page.tsx'
import { Log } from '../../src/http/pages/job/log.tsx'
import { renderPage } from '../../src/http/pages/render-page.ts'
import { tagsIn, textIn } from '../http/pages/reading.ts'
import {
  buildRecord,
  commitRecord,
  frame,
  jobRecord,
  messageRecord,
  noon,
  repositoryRecord,
  requestRecord,
} from '../http/pages/records.ts'

test('a log full of colours is cut, and most of the colours are removed', () => {
  const line = Array.from({ length: 70 }, (_none, index) => `\u001B[3${index % 8}mx`).join('')
  const html = renderPage(<Log text={`${line}\n`.repeat(9500)} href="/jobs/21/log" />)
  expect(textIn(html)).toMatch(/^Only the end of this log is shown, from line 8,\d{3}\. The whole/)
  expect(tagsIn(html).length).toBeLessThan(30_000)
})

test('a log of many plain lines is cut to its end', () => {
  const html = renderPage(<Log text={`${'&'.repeat(399)}\n`.repeat(10_000)} href="/log" />)
  expect(html.length).toBeLessThan(3_000_000)
})

const subject = 'x'.repeat(300_000)
const page = {
  frame,
  now: noon,
  repository: repositoryRecord(),
  build: buildRecord(),
  commit: commitRecord({ message: subject }),
  pullRequest: null,
  fromFork: false,
  request: requestRecord(),
  messages: Array.from({ length: 6500 }, () => messageRecord()),
  notices: [],
  stages: [],
  jobs: [jobRecord()],
  positions: new Map(),
}

test('a build shows a limited number of findings, and how many more there are', () => {
  const html = renderPage(<BuildPage {...page} />)
  expect(textIn(html)).toContain(
    '6200 more findings: fix these first, or run build-service lint to see all',
  )
  expect(html.split('class="level').length - 1).toBe(300)
})

test('a long subject is shown in full only in the message of its build', () => {
  const { repository, build, commit } = page
  const listed = [{ repository, build, commit }]
  const home = renderPage(<HomePage frame={frame} now={noon} repositories={listed} />)
  expect(home).toContain(`${'x'.repeat(199)}…`)
  expect(home.length).toBeLessThan(10_000)
  expect(renderPage(<BuildPage {...page} messages={[]} />).split(subject)).toHaveLength(2)
})
