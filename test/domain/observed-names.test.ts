import { expect, test } from 'vitest'
import {
  missingFunctions,
  observedWord,
  renamedWords,
} from '../../src/domain/config/observed-names.ts'
import { chooseLanguage } from '../../src/script/language/choose-language.ts'
import { shellHelpers } from '../../src/script/shell/shell-helpers.ts'
import { shellLog } from '../../src/script/shell/shell-log.ts'
import { environment } from '../../src/script/variables/environment.ts'
import { scriptInput } from '../script/program.ts'

const namesFrom = (prefix: string) =>
  [...renamedWords].filter(([name]) => name.startsWith(prefix)).map(([, renamed]) => renamed)

test('every variable of jobs has a counterpart at the observed service', () => {
  const languages = [
    ...['dart', 'elixir', 'elm', 'go', 'haxe', 'jdk', 'julia', 'node_js', 'otp_release', 'perl'],
    ...['php', 'python', 'r', 'rvm', 'rust', 'scala'],
  ]
  const config = Object.fromEntries(languages.map((key) => [key, '1']))
  const text = environment(scriptInput({ config }), chooseLanguage(config), { hasSecrets: false })
  const set = [...text.matchAll(/\b(SERVICE(?:_[A-Z_]+)?)=/g)].map(([, name = '']) => name)
  const expected = namesFrom('TRAVIS').filter((name) => name !== 'SERVICE_')
  expect([...new Set(set)].toSorted()).toEqual(expected.toSorted())
})

test('every function of jobs has a counterpart at the observed service', () => {
  const defined = [...`${shellHelpers}\n${shellLog}`.matchAll(/^(service_\w+)\(\)/gm)]
  const names = defined.map(([, name = '']) => name)
  expect(
    namesFrom('travis_')
      .filter((name) => name !== 'service_time')
      .toSorted(),
  ).toEqual(names.toSorted())
  expect([...missingFunctions].filter((name) => renamedWords.has(name))).toEqual([])
})

test.each([
  ['$TRAVIS_BRANCH-${TRAVIS_TAG}', ['TRAVIS_BRANCH', 'TRAVIS_TAG']],
  ['passenv = TRAVIS TRAVIS_*', ['TRAVIS', 'TRAVIS_']],
  [String.raw`echo "\ntravis_fold:start:a"; travis_retry make`, ['travis_fold', 'travis_retry']],
  ['process.env.TRAVIS, $env:TRAVIS_TAG, %TRAVIS_TAG%', ['TRAVIS', 'TRAVIS_TAG', 'TRAVIS_TAG']],
  ['./travis_wait.sh; ci/travis_retry; bin-travis_wait; MY_TRAVIS_TAG; xTRAVIS; TRAVIS-CI', []],
  ['on TRAVIS CI with travis and TRAVIS_Mixed', []],
])('whole words are found in %j', (text, words) => {
  expect([...text.matchAll(observedWord)].map(([word]) => word)).toEqual(words)
})
