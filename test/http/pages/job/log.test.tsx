import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Log, longestLog } from '../../../../src/http/pages/job/log.tsx'
import { renderPage } from '../../../../src/http/pages/render-page.ts'
import { addressesIn, decoded, tagsIn, textIn, withoutTags } from '../reading.ts'

const escape = '\u001B'
const clear = `\r${escape}[0K`

function draw(text: string, limits = longestLog): string {
  return renderPage(<Log text={text} href="/jobs/21/log" limits={limits} />)
}

test('each line has a number and a link', () => {
  expect(draw('first\r\nsecond\r\n')).toBe(
    '<!doctype html>\n' +
      '<div class="line" id="L1"><a class="number" href="#L1" tabindex="-1">1</a>' +
      '<span class="text">first</span></div>' +
      '<div class="line" id="L2"><a class="number" href="#L2" tabindex="-1">2</a>' +
      '<span class="text">second</span></div>\n',
  )
})

test('colours become classes', () => {
  expect(draw(`${escape}[31;1mred${escape}[0m plain`)).toContain(
    '<span class="text"><span class="ink-1 bold">red</span> plain</span>',
  )
})

test('a fold shows its first line, its name and its duration', () => {
  const text =
    `service_fold:start:install${clear}service_time:start:0a${clear}$ npm ci\r\nadded 212\r\n` +
    `service_time:end:0a:start=1,finish=2,duration=9412000000,event=install${clear}` +
    `service_fold:end:install${clear}`
  expect(draw(text)).toContain(
    '<details><summary><span class="line" id="L1"><a class="number" href="#L1" tabindex="-1">1</a>' +
      '<span class="fold">install</span><time class="duration" datetime="PT9.412S">9.41 s</time>' +
      '<span class="text">$ npm ci</span></span></summary>' +
      '<div class="line" id="L2">',
  )
})

test('a fold that has not ended is open', () => {
  expect(draw(`service_fold:start:a${clear}$ a\nb`)).toContain('<details open>')
})

test('a fold of one line is shown as a line', () => {
  const html = draw(`service_fold:start:a${clear}$ a\nservice_fold:end:a${clear}b`)
  expect(html).not.toContain('<details')
  expect(textIn(html)).toContain('1 a $ a 2 b')
})

test('a fold whose first line opens another fold shows its own name', () => {
  const html = draw(`service_fold:start:a${clear}service_fold:start:b${clear}$ b\nc`)
  expect(html).toContain('<summary><span class="fold">a</span></summary>')
})

test('only the end of a long log is drawn, with a link to the rest', () => {
  const text = Array.from({ length: 12_500 }, (_, index) => `line ${index + 1}\n`).join('')
  const html = draw(text)
  expect(textIn(html)).toMatch(
    /^Only the end of this log is shown, from line 8,501\. The whole log as plain text 8501 line 8501 /,
  )
  expect(addressesIn(html).filter((address) => !address.startsWith('#'))).toEqual(['/jobs/21/log'])
  expect(tagsIn(html).filter(({ attributes }) => attributes.id)).toHaveLength(4000)
})

test('a line that is too long shows how much is missing', () => {
  expect(textIn(draw('x'.repeat(12_000)))).toMatch(/x … 2,000 more characters$/)
})

test('web addresses become links, and other addresses do not', () => {
  const html = draw(`see https://example.com/?a=1&b="2" or javascript:alert(1)`)
  expect(html).toContain(
    '<a href="https://example.com/?a=1&amp;b=" rel="noopener noreferrer nofollow">',
  )
  expect(addressesIn(html)).toEqual(['#L1', 'https://example.com/?a=1&b='])
})

describe('for any log', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '</span></div>',
      '"><img src=x>',
      '<!--',
      '&lt;',
      '&',
    ),
    fc.constantFrom(
      escape,
      `${escape}[31m`,
      `${escape}[7;1m`,
      `${escape}[K`,
      `${escape}[2K`,
      `${escape}]8;;`,
    ),
    fc.constantFrom(
      '\r',
      '\n',
      '\b',
      'http://a.test/',
      'https://"onclick="',
      'javascript:alert(1)',
    ),
    fc.constantFrom('service_fold:start:a', 'service_fold:end:a', 'service_fold:start:"><b>'),
    fc.constantFrom('service_time:start:0a', 'service_time:end:0a:duration=12', clear),
  )
  const log = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

  const known = new Set(
    [
      ...[
        '!doctype',
        'div class',
        'div class,id',
        'div class id',
        '/div',
        'a class,href,tabindex',
        '/a',
      ],
      ...[
        'a href,rel',
        'span class',
        'span class,id',
        '/span',
        'details',
        'details open',
        '/details',
      ],
      ...['summary', '/summary', 'time class,datetime', '/time', 'em class', '/em'],
    ].map((tag) => tag.trim()),
  )

  test('the page has only known tags, and drawing does not throw', () => {
    fc.assert(
      fc.property(log, (text) => {
        const html = draw(text).replace('<!doctype html>', '')
        const tags = tagsIn(html).map(({ name, attributes }) =>
          [name, Object.keys(attributes).join(',')].join(' ').trim(),
        )
        expect(tags.filter((tag) => !known.has(tag))).toEqual([])
        expect(withoutTags(html)).not.toMatch(/<|&(?!lt;|amp;|quot;)/)
        expect(addressesIn(html).filter((to) => !/^(#L\d+|https?:\/\/.*)$/s.test(to))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('text without control characters is unchanged', () => {
    const printable = fc.stringMatching(/^[ -~äöü漢👍]*$/u)
    fc.assert(
      fc.property(printable, (text) => {
        const [, shown = ''] = /<span class="text">(.*)<\/span><\/div>/s.exec(draw(text)) ?? []
        expect(decoded(withoutTags(shown))).toBe(text)
      }),
    )
  })
})
