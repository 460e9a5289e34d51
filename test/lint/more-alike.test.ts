import { describe, expect, test } from 'vitest'
import { lintText } from '../../src/lint/lint-text.ts'

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

function counted(source: string, wanted: readonly string[]): Record<string, number> {
  const { findings } = lintText(source, { advice: true })
  return Object.fromEntries(
    wanted.map((code) => [code, findings.filter((finding) => finding.code === code).length]),
  )
}

describe('more than 2,000 findings of one kind', () => {
  test('from the reader are cut, which is reported once', () => {
    const source = `script: make\n${lines(2500, (index) => `k${index}: 1`)}`
    const codes = ['unknown_key', 'more_alike']
    expect(counted(source, codes)).toEqual({ unknown_key: 2000, more_alike: 1 })
    expect(lintText(source, { advice: false }).findings).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        key: [],
        message: 'only the first 2000 findings of the kind unknown_key are listed: fix these first',
      }),
    )
  })

  test('from a rule are cut, which is reported once', () => {
    const source = `script:\n${lines(2500, (index) => `  - sudo apt-get install curl${index}`)}`
    const codes = ['install_asks', 'more_alike']
    expect(counted(source, codes)).toEqual({ install_asks: 2000, more_alike: 1 })
  })

  test('do not hide other findings, and do not change the normal form', () => {
    const unknown = lines(2500, (index) => `k${index}: 1`)
    const source = `${unknown}\nscript: make\nlanguage: rubi\n`
    const { config, findings } = lintText(source, { advice: false })
    expect(config).toMatchObject({ language: 'ruby', k2499: 1 })
    expect(findings.map(({ code }) => code)).toContain('find_value')
  })

  test('start at 2,001', () => {
    const source = `script: make\n${lines(2000, (index) => `k${index}: 1`)}`
    const codes = ['unknown_key', 'more_alike']
    expect(counted(source, codes)).toEqual({ unknown_key: 2000, more_alike: 0 })
  })
})
