import { describe, expect, test } from 'vitest'
import { createServer } from '../../../../src/http/server.ts'
import { mostBytes } from '../../../../src/lint/limits.ts'
import { testContext } from '../../../support/context.ts'
import { testDatabase } from '../../../support/database.ts'
import { caller, prefixed } from '../../door.ts'
import { addressesIn, decoded, tagsIn, textIn } from '../reading.ts'

const ctx = testContext(await testDatabase())
const call = caller(await createServer(ctx))

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }

/** Sends the form as a browser does, line breaks included. */
async function submit(fields: Record<string, string>, path = '/lint/check', by = call) {
  const sent = Object.entries(fields).map(([name, value]) => [name, value.replaceAll('\n', '\r\n')])
  const answer = await by(`POST ${path}`, form, new URLSearchParams(sent).toString())
  return { status: answer.statusCode, html: answer.body, text: textIn(answer.body) }
}

/** What stands in the field of the file; browsers leave its first line break out. */
function fieldIn(html: string): string {
  const [, content = ''] = /<textarea[^>]*>\n([^<]*)<\/textarea>/.exec(html) ?? []
  return decoded(content)
}

/** The text of one part of the page. */
function part(html: string, id: string): string {
  const from = html.slice(html.indexOf(`id="${id}"`))
  return textIn(`<main ${from.slice(0, from.search(/<\/div><\/section>|<\/p>|<\/main>/))}`)
}

describe('the linter settings of a project', () => {
  const content = 'langauge: ruby\n'

  test('apply to the file that is checked with them', async () => {
    const without = await submit({ content })
    expect(part(without.html, 'found')).toContain('find_key')
    const { html } = await submit({ content, settings: 'rules:\n  find_key: off\n' })
    expect(part(html, 'found')).not.toContain('find_key')
    expect(html).toContain('find_key: off\n</textarea>')
    expect(html).not.toContain('is ignored until these')
  })

  test('that are invalid are reported with their line, and ignored', async () => {
    const { html, text } = await submit({ content, settings: 'rules:\n  nonsense: off\n' })
    expect(text).toMatch(
      /\.service-lint\.yml is ignored until .*"nonsense".* line 2 · lint_settings/,
    )
    expect(part(html, 'found')).toContain('find_key')
  })
})

describe('GET /lint', () => {
  test.each(['/lint', '/lint/', '/lint?x=1'])('is a page at %s', async (path) => {
    const answer = await call(`GET ${path}`, browser)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'text/html;charset=utf-8',
    ])
    expect(textIn(answer.body)).toContain('Check a build file Paste a .service.yml')
    expect(fieldIn(answer.body)).toBe('')
  })

  test('allows only scripts and connections of this service', async () => {
    const answer = await call('GET /lint', browser)
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none';style-src 'self';img-src 'self' data:;base-uri 'none';" +
        "form-action 'self';frame-ancestors 'none';script-src 'self';connect-src 'self'",
    )
    const scripts = tagsIn(answer.body).filter(({ name }) => name === 'script')
    expect(scripts).toMatchObject([{ attributes: { type: 'module' } }])
    const script = await call(`GET ${scripts[0]?.attributes.src}`)
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript;charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  test.each(['/docs', '/docs/lint'])('documentation pages have no script: %s', async (path) => {
    const answer = await call(`GET ${path}`, browser)
    expect(answer.headers['content-security-policy']).not.toContain('script-src')
    expect(answer.body).not.toContain('<script')
  })

  test('is linked on every page', async () => {
    expect(addressesIn((await call('GET /', browser)).body)).toContain('/lint')
  })
})

describe('a submitted file', () => {
  const file = 'language: ruby\ngit:\n  depht: 3\nscript: make\n'

  test('is shown with its lines, and each finding below its line', async () => {
    const { status, html, text } = await submit({ content: file })
    expect(status).toBe(200)
    expect(part(html, 'summary')).toBe('1 warning.')
    expect(text).toContain(
      'Line 2 git: Line 3 depht : 3 Warning unknown key "depht", read as "depth": ' +
        'correct the spelling find_key Fix: write "depth" Line 4 script: make',
    )
    expect(addressesIn(html)).toContain('/docs/lint/find_key')
    expect(html).toContain('<mark class="state-created">depht</mark>: 3')
    expect(fieldIn(html)).toBe(file)
  })

  test('is shown with its normal form and its jobs', async () => {
    const { text } = await submit({ content: 'rvm: [3.2, 3.3]\nscript: make\n' })
    expect(text).toContain('2 jobs As if every condition held. The matrix has 2 of rvm.')
    expect(text).toContain('matrix (line 1)')
    expect(text).toContain('"script": [ "make" ]')
  })

  test('keeps its line breaks at both ends', async () => {
    const content = '\n\nscript: make\n\n'
    expect(fieldIn((await submit({ content })).html)).toBe(content)
  })

  test('can hold any characters', async () => {
    const content = '"</textarea><script>alert(1)</script>": "<b>&amp;\u202E\u0007"\n'
    const { status, html } = await submit({ content })
    expect(status).toBe(200)
    expect(tagsIn(html).filter(({ name }) => name === 'script')).toHaveLength(1)
    expect(html).not.toContain('<b>')
    expect(fieldIn(html)).toBe(content)
    // What cannot be seen is spelled out, outside of the field that it came from.
    expect(part(html, 'found')).toContain('\\u202e')
    expect(part(html, 'found')).not.toContain('\u202E')
  })

  test('without findings is reported as fine', async () => {
    const { html } = await submit({ content: 'language: ruby\nscript: make\n' })
    expect(part(html, 'summary')).toBe('No findings: the file is fine.')
    expect(html).toContain('<div id="found" class="state-passed">')
  })

  test('also gets advice', async () => {
    const { text } = await submit({ content: 'branches: release/*\nscript: make\n' })
    expect(text).toContain('pattern_without_slashes')
  })

  test('that cannot be read has a single finding, and no jobs', async () => {
    const { html, text } = await submit({ content: 'language: ruby\nscript: [make\n' })
    expect(part(html, 'summary')).toBe('This file cannot be used.')
    expect(text).toContain('Line 2 script: [ make Error syntax error: The "[" that starts here')
    expect(html).toContain('<div id="made"></div>')
  })

  test('that is long is folded where it has no findings', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `# ${index + 1}\n`)
    const { text } = await submit({ content: `${lines.join('')}foo: bar\nscript: make\n` })
    expect(text).toContain('Lines 1 to 497 Line 1 # 1')
    expect(text).toContain('Line 501 foo : bar Warning')
  })

  test('that is missing counts as empty', async () => {
    const { status, html } = await submit({})
    expect([status, fieldIn(html)]).toEqual([200, ''])
  })
})

describe('a fix', () => {
  const content = 'langauge: ruby\ngit:\n  depht: 3\nbranches: release/*\nscript: make\n'

  test('is applied with its button', async () => {
    const { html } = await submit({ content, fix: 'find_key:3:3' })
    expect(fieldIn(html)).toBe(content.replace('depht', 'depth'))
    expect(part(html, 'summary')).toBe('Fixed: write "depth". 2 warnings.')
  })

  test('that can change what the jobs do is marked', async () => {
    const { html } = await submit({ content })
    expect(html).toContain('Fix: write /^release\\/.*$/ (changes what the jobs do)')
    const { html: after } = await submit({ content, fix: 'pattern_without_slashes:4:11' })
    expect(fieldIn(after)).toBe(content.replace('release/*', '/^release\\/.*$/'))
  })

  test('of all findings makes only changes that keep the jobs the same', async () => {
    const { text } = await submit({ content })
    expect(text).toContain('Fix all 2 that leave the jobs as they are')
    const { html } = await submit({ content, fix: 'all' })
    expect(fieldIn(html)).toBe(content.replace('depht', 'depth').replace('langauge', 'language'))
  })

  test.each(['find_key:9:9', 'unknown_key:1:1', 'nonsense', '__proto__'])(
    'for a finding that no longer exists does nothing: %s',
    async (fix) => {
      const { status, html } = await submit({ content, fix })
      expect([status, fieldIn(html)]).toEqual([200, content])
    },
  )
})

describe('conditions', () => {
  const content =
    'rvm: [3.2, 3.3]\nscript: make\nbranches:\n  except: dev\njobs:\n  exclude:\n' +
    '    - rvm: 3.2\n  include:\n    - rvm: 3.4\n      if: branch = main\n'

  test('count as true if no event is given', async () => {
    const { text } = await submit({ content, event: '', branch: 'dev' })
    expect(text).toContain('2 jobs As if every condition held.')
    expect(text).toContain('Dropped jobs')
    expect(text).toContain('jobs.exclude 1 (line 7) fits it')
  })

  test('are evaluated for the event', async () => {
    const { html, text } = await submit({ content, event: 'push', branch: 'dev' })
    expect(text).toContain('1 job For an event of type push.')
    expect(text).toContain('its condition branch = main (line 10) does not hold: branch was "dev"')
    expect(text).toContain('Nothing is built: "dev" in branches.except names "dev".')
    // The form holds what was asked.
    expect(html).toMatch(/<option value="push" selected>push<\/option>/)
    expect(html).toContain('name="branch" value="dev"')
  })

  test('are evaluated for a tag, which counts as its branch', async () => {
    const { text } = await submit({ content, event: 'push', tag: 'main' })
    expect(text).toContain('2 jobs For an event of type push.')
  })

  test('are evaluated without imports, with a note', async () => {
    const { text } = await submit({ content: 'import: ci/base.yml\nscript: make\n' })
    expect(text).toContain('Note: without what it imports: ci/base.yml.')
  })

  test('are not evaluated for an unknown event', async () => {
    const { text } = await submit({ content, event: 'sneeze' })
    expect(text).toContain('As if every condition held.')
  })
})

describe('the response to a request for /lint', () => {
  test.each([
    [{ accept: 'text/html' }, 'text/html;charset=utf-8'],
    [{ accept: 'application/xhtml+xml, */*;q=0.1' }, 'text/html;charset=utf-8'],
    [{ accept: '*/*' }, 'application/json'],
    [{}, 'application/json'],
    [{ accept: 'application/json, text/html;q=0.9' }, 'application/json'],
    [{ accept: 'text/html', 'service-api-version': '3' }, 'application/json'],
  ])('with the headers %j is of type %s', async (headers, type) => {
    expect((await call('GET /lint', headers)).headers['content-type']).toBe(type)
    const posted = await call('POST /lint', headers, 'script: make')
    expect([posted.statusCode, posted.headers['content-type']]).toEqual([200, 'application/json'])
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('with the method %s is JSON', async (method) => {
    const { headers } = await call(`${method} /lint`, browser, 'script: make')
    expect(headers['content-type']).toBe('application/json')
  })

  test('below the path of the installation has only addresses below that path', async () => {
    const below = caller(await createServer(prefixed(ctx)))
    const { status, html } = await submit({ content: 'foo: bar' }, '/ci/lint/check', below)
    expect(status).toBe(200)
    const own = addressesIn(html).filter((address) => address.startsWith('/'))
    expect(own.length).toBeGreaterThan(4)
    expect(own.filter((address) => !address.startsWith('/ci/'))).toEqual([])
    expect(html).toContain('action="/ci/lint/check"')
  })
})

describe('a refusal is a page for', () => {
  test('a file that is too large', async () => {
    const { status, text } = await submit({ content: 'x'.repeat(mostBytes) })
    expect(status).toBe(413)
    expect(text).toContain('413 Too large')
  })

  test('a form that cannot be read', async () => {
    const answer = await call(
      'POST /lint/check',
      { ...browser, 'content-type': 'application/json' },
      '{',
    )
    expect(answer.statusCode).toBe(400)
    expect(textIn(answer.body)).toContain('400 That did not work')
  })

  test('a wrong token', async () => {
    const headers = { ...form, authorization: 'token wrong' }
    const answer = await call('POST /lint/check', headers, 'content=script')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      403,
      'text/html;charset=utf-8',
    ])
  })
})
