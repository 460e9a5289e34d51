import { expect, test } from 'vitest'
import { jobStates } from '../../../../src/domain/job/job.ts'
import { favicon, Layout } from '../../../../src/http/pages/parts/layout.tsx'
import { StateBadge } from '../../../../src/http/pages/parts/state-badge.tsx'
import { renderPage } from '../../../../src/http/pages/render-page.ts'
import { tagsIn, textIn } from '../reading.ts'
import { frame, userRecord } from '../records.ts'

test('a page is a whole document', () => {
  const html = renderPage(
    <Layout {...frame} title="Thing" crumbs={[{ text: 'All', href: '/ci/' }, { text: 'Thing' }]}>
      <h1>Thing</h1>
    </Layout>,
  )
  expect(html).toBe(
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"/>' +
      '<meta name="viewport" content="width=device-width, initial-scale=1"/>' +
      '<meta name="color-scheme" content="light dark"/><title>Thing · build-service</title>' +
      `<link rel="icon" href="${favicon()}"/>` +
      '<link rel="stylesheet" href="/ci/assets/style.css?v=abc123"/></head>' +
      '<body><a class="skip" href="#content">Skip to the content</a>' +
      '<header><a class="product" href="/ci/">build-service</a>' +
      '<nav aria-label="Breadcrumb"><ol><li><a href="/ci/"><bdi>All</bdi></a></li>' +
      '<li><bdi aria-current="page">Thing</bdi></li></ol></nav>' +
      '<a class="tool" href="/ci/queue">Queue</a>' +
      '<a class="viewer" href="/ci/login">Log in</a></header>' +
      '<main id="content" tabindex="-1"><h1>Thing</h1></main>' +
      '<footer><span>build-service 1.2.3</span><a href="/ci/docs">Documentation</a>' +
      '<a href="/ci/queue">Queue</a><a href="/ci/lint">Check a build file</a></footer>' +
      '</body></html>\n',
  )
})

test('the header shows the name of the user who is logged in', () => {
  const viewer = { user: userRecord({ login: 'grace' }), scopes: ['public'] }
  const html = renderPage(
    <Layout {...frame} viewer={viewer} title="Thing">
      text
    </Layout>,
  )
  expect(html).toContain('<span class="unseen">Logged in as </span><bdi>grace</bdi>')
})

test('a page reports the result of the form that led to it', () => {
  const page = (
    <Layout {...frame} notice="Saved." title="Thing">
      text
    </Layout>
  )
  expect(renderPage(page)).toContain(
    '<p class="notice said" role="status" data-kept="true">Saved.</p>',
  )
})

test('a page reports why a form changed nothing, also in its title', () => {
  const html = renderPage(
    <Layout {...frame} problem="It runs." title="Thing">
      text
    </Layout>,
  )
  expect(html).toContain('<title>Error: Thing · build-service</title>')
  expect(html).toContain('role="alert"')
  expect(textIn(html)).toContain('Nothing was changed. It runs. text')
})

test('each state has its own word and picture', () => {
  const badges = jobStates.map((state) => renderPage(<StateBadge state={state} />))
  const words = badges.map((html) => textIn(html.replace('<!doctype html>', '')))
  expect(words).toEqual([
    'Waiting',
    'Queued',
    'Starting',
    'Running',
    'Passed',
    'Failed',
    'Errored',
    'Canceled',
  ])
  const shapes = badges.map(
    (html) => tagsIn(html).find(({ name }) => name === 'path')?.attributes.d,
  )
  expect(new Set(shapes).size).toBe(jobStates.length)
})
