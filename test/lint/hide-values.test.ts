import { expect, test } from 'vitest'
import { lintText } from '../../src/lint/lint-text.ts'

const file = `script: make
env:
  global:
    - DB_PASSWORD=pa;ss<word
    - ADMIN_PASSWORD=correct horse@battery
    - API_SECRET: 0123_456
    - USER_PASSWORD=pa:ss word: x
    - DB_PASSWD: ab&cdefgh12
`

test('advice does not show secrets in its message, key or fix', () => {
  const { findings: all } = lintText(file, { advice: true })
  const findings = all.filter(({ level }) => level === 'warn')
  expect(findings.map(({ code }) => code).toSorted()).toEqual([
    ...['colon_in_definition', 'env_value_cut', 'env_value_cut', 'env_word_alone', 'value_changes'],
  ])
  expect(JSON.stringify(findings)).not.toMatch(/pa;ss|horse|0123|42798|ss word|cdefgh/)
  expect(findings.map(({ message }) => message)).toContain(
    'the value of "DB_PASSWORD" ends at ";", after which a shell runs a command: put quotes around ' +
      '"[secure]"',
  )
})

test('advice shows other values, and the names of variables', () => {
  const { findings } = lintText(`${file}    - URL=http://x/?a=1&b=2\n`, { advice: true })
  expect(findings.find(({ line }) => line === 9)).toMatchObject({
    message: expect.stringContaining('"http://x/?a=1&b=2"'),
    fix: { title: 'write "http://x/?a=1&b=2"' },
  })
})
