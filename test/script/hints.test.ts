import { describe, expect, test } from 'vitest'
import { runJob } from './program.ts'

const env = 'PATH="$HOME/bin:/usr/bin:/bin"'

describe('a missing command', () => {
  test.each([
    ['sudo', 'Jobs on this runner cannot use sudo: run the command without it, and ask'],
    [
      'jdk_switcher',
      'There is no jdk_switcher here: remove it, and choose a version of Java with "jdk"',
    ],
    ['nvm', 'There is no nvm here: remove it, and choose a version of Node.js with "node_js"'],
    ['gimme', 'There is no gimme here: remove it, and choose a version of Go with "go"'],
    ['phpenv', 'There is no phpenv here: remove it, choose a version of PHP with "php"'],
  ])('%s: the log suggests a remedy', async (program, says) => {
    const script = [`${program} it`, `x=$(${program} it); builtin echo "<$x>"`]
    const { raw, text } = await runJob({ env: 'PATH=/nowhere', script })
    expect(text).toContain(`${program}: command not found\n${says}`)
    expect(raw).toContain(`␛[33;1m${says}`)
    expect(text).toContain('\n<>\n')
  })

  test('is looked up by its exact name', async () => {
    const { text } = await runJob({ script: 'no-such-program; : sudo' })
    expect(text).not.toContain('cannot use sudo')
  })
})

const says = 'Jobs on this runner cannot use sudo'

test.each([
  ['that jobs cannot use', 'exit 1', 'sudo apt-get update', true],
  ['that jobs can use', '[ "$1" = -n ]', 'sudo false', false],
  ['that was not called', 'exit 1', 'echo sudo; false', false],
])('a sudo %s', async (_, does, script, isSaid) => {
  const files = { '~/bin/sudo': `#!/bin/sh\n${does}\n` }
  const { text } = await runJob({ env, script }, { files })
  expect(text.includes(says)).toBe(isSaid)
  expect(text).toContain('exited with 1')
})

test('a git command that needs more history is followed by a remedy', async () => {
  const as = '-c user.name=o -c user.email=o@example.com'
  const make = [
    'git init -q $HOME/whole',
    `for n in 1 2 3; do git -C $HOME/whole ${as} commit -q --allow-empty -m $n; done`,
    'git clone -q --depth 1 "file://$HOME/whole" part',
    'cd part',
  ]
  const script = [
    ...['git describe', 'git -C . merge-base HEAD~1 HEAD', 'x=$(git describe --tags)'],
    ...['false', 'git log --grep=describe', 'git rev-parse nothing'],
    ...['git fetch -q --unshallow', 'git describe'],
  ]
  const { text } = await runJob({ env, before_install: make, script })
  const hinted = [...text.matchAll(/^\$ (.*)\n(?:.*\n)?The clone of this job holds only the/gm)]
  expect(hinted.map(([, line]) => line)).toEqual(script.slice(0, 3))
  expect(text).toContain('"git: depth: false" in .service.yml fetches all of them')
})
