import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/lint/finding.ts'
import { formatText } from '../../../src/lint/formats/text.ts'
import { reports } from './reports.ts'

describe('findings as text', () => {
  test('have a position, the line with a mark below it, and the fix', () => {
    expect(formatText(reports, { color: false })).toMatchInlineSnapshot(`
      ".service.yml info "os" is not given, so "linux" is used: write it down if you rely on it [default]

      .service.yml:1:1 warn unknown key "langauge", read as "language": correct the spelling [find_key]
        1 | langauge: ruby
          | ^^^^^^^^
          = fix: write "language"

      .service.yml:2:1 error a text is expected here [invalid_type]
        2 | script:
          | ^^^^^^^

      a,b:\\n\\x1b[31m<"&.yml:1:2 alert 100% <plain> "text"\\n::error::\\x1b[2J [secure]
        1 |   ******\\x1b]0;title\\x07: \\u202eyes
          |   ^^^^^^

      1 alert, 1 error, 1 warning, 1 note in 2 files
      More about a code: build-service explain default
      "
    `)
  })

  test.each(['::error ::x/.service.yml', ' ::add-mask::x', '##[group]x', '##vso[task.x]y'])(
    'do not begin a line with the name %s, which would be a command of other services',
    (file) => {
      const named = [{ file, text: 'os: x', findings: [{ ...first(), file }] }]
      expect(formatText(named, { color: false }).split('\n')[0]).toMatch(/^\.\/ ?(::|##)/)
    },
  )

  test('are the same with and without colours', () => {
    const plain = formatText(reports, { color: false })
    const coloured = formatText(reports, { color: true })
    // oxlint-disable-next-line no-control-regex
    expect(coloured.replaceAll(/\u001B\[\d+m/g, '')).toBe(plain)
    expect(coloured).not.toBe(plain)
  })

  test('are counted, even if there are none', () => {
    expect(formatText([{ file: 'a.yml', text: '', findings: [] }], { color: false })).toBe(
      'nothing found in 1 file\n',
    )
  })

  test('show only the part of a long line around the position', () => {
    const text = `script: ${'x'.repeat(200)} here ${'y'.repeat(200)}`
    const at = text.indexOf('here') + 1
    const finding = { ...first(), line: 1, column: at, end_line: 1, end_column: at + 4 }
    const lines = formatText([{ file: 'a.yml', text, findings: [finding] }], {
      color: false,
    }).split('\n')
    const [shown = '', marks = ''] = [lines[1], lines[2]]
    expect(shown.length).toBeLessThan(140)
    expect(shown.slice(marks.indexOf('^'), marks.lastIndexOf('^') + 1)).toBe('here')
  })
})

function first(): Finding {
  const [finding] = reports.flatMap(({ findings }) => findings)
  if (!finding) throw new Error('there are no findings')
  return finding
}
