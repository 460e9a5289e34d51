import { expect, test } from 'vitest'
import {
  fits,
  machineOf,
  refusedText,
  unmetNotes,
  unmetPart,
} from '../../src/domain/job/machine.ts'

const linux = machineOf('linux', 'x64')
const mac = machineOf('darwin', 'arm64')
const asked = (os: string | null, arch: string | null = null) => ({ os, arch })

test('machines have the names used in build files', () => {
  expect([linux, mac, machineOf('win32', 'x64')]).toEqual([
    { os: 'linux', arch: 'amd64' },
    { os: 'osx', arch: 'arm64' },
    { os: 'windows', arch: 'amd64' },
  ])
})

test.each([
  [asked(null), linux, true],
  [asked('linux'), linux, true],
  [asked('linux', 'amd64'), linux, true],
  [asked(null, 'x86_64'), linux, true],
  [asked('osx'), linux, false],
  [asked('macos'), mac, true],
  [asked('solaris'), linux, false],
  [asked('linux', 'aarch64'), linux, false],
  [asked(null, 'aarch64'), mac, true],
  [asked(null, 'arm64-graviton2'), mac, true],
  [asked('linux-ppc64le'), linux, false],
  [asked('linux-ppc64le'), { os: 'linux', arch: 'ppc64le' }, true],
])('a job for %j can run on %j: %s', (wanted, machine, isMet) => {
  expect(fits(wanted, machine)).toBe(isMet)
})

test.each([
  [asked('osx'), [linux], 'os osx'],
  [asked('linux', 's390x'), [linux], 'arch s390x'],
  [asked('linux', 'arm64'), [linux, mac], 'os linux, arch arm64'],
])('of the request %j the unmet part is reported', (wanted, machines, part) => {
  expect(unmetPart(wanted, machines)).toBe(part)
})

test('a refusal names the request, the findings and the remedy', () => {
  expect(refusedText(asked('osx', 'arm64'), [linux, linux], 'OTHER_MACHINES=')).toBe(
    '.service.yml asks for "os: osx" and "arch: arm64", and the runners of this service have linux on ' +
      'amd64. Start a runner on such a machine, change .service.yml, or leave such jobs out ' +
      '(OTHER_MACHINES=skip) or run them here (OTHER_MACHINES=run).',
  )
})

test('a build reports how many jobs were not run, and for which systems', () => {
  const osx = { unmet: 'os osx', found_machine: null }
  expect(unmetNotes(5, [osx, osx])).toEqual(['2 of 5 jobs not run: os osx'])
  expect(unmetNotes(5, [{ unmet: 'os windows', found_machine: 'linux on amd64' }])).toEqual([
    '1 of 5 jobs run on another machine: os windows',
  ])
  expect(unmetNotes(1, [{ unmet: null, found_machine: null }])).toEqual([])
})
