import { expect, test } from 'vitest'
import { formatGithub } from '../../../src/lint/formats/github.ts'
import { reports } from './reports.ts'

test('each finding is one command, from which no text can break out', () => {
  expect(formatGithub(reports).split('\n')).toMatchInlineSnapshot(`
    [
      "::notice file=.service.yml,title=default::"os" is not given, so "linux" is used: write it down if you rely on it",
      "::warning file=.service.yml,line=1,endLine=1,col=1,endColumn=8,title=find_key::unknown key "langauge", read as "language": correct the spelling",
      "::error file=.service.yml,line=2,endLine=3,title=invalid_type::a text is expected here",
      "::error file=a%2Cb%3A\\n\\x1b[31m<"&.yml,line=1,endLine=1,col=2,endColumn=7,title=secure::100%25 <plain> "text"\\n::error::\\x1b[2J",
      "",
    ]
  `)
})
