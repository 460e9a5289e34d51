import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command, scratchFolder } from '../support/command.ts'
import { importApt, sourceline } from '../support/docker/apt-image.ts'
import { startTestEngine, type TestEngine, whyNoEngine } from '../support/docker/engine.ts'
import { importImage } from '../support/docker/images.ts'
import { needs } from '../support/needs.ts'

/** Listens at the socket of a display, as Xvfb does. */
const display = `#!/usr/bin/perl
use Socket;
mkdir "/tmp/.X11-unix";
socket(my $socket, PF_UNIX, SOCK_STREAM, 0);
bind($socket, pack_sockaddr_un("/tmp/.X11-unix/X99")) or die;
listen($socket, 1);
sleep 600;
`

describe('add-ons', needs({ tests: 'of add-ons in containers', missing: whyNoEngine() }), () => {
  let engine: TestEngine

  beforeAll(async () => {
    engine = await startTestEngine()
    await engine.start()
    await importImage(engine.engine, 'tests:base')
    await importApt(engine.engine, 'tests:apt', {
      greeter: { program: 'greet', text: '#!/bin/sh\necho "greetings from a package"\n' },
      xvfb: { program: 'Xvfb', text: display },
    })
  })
  afterAll(() => engine.stop())

  async function run(lines: readonly string[], image = 'tests:apt', JOB_USER = '0:0') {
    const folder = scratchFolder()
    writeFileSync(path.join(folder, '.service.yml'), lines.join('\n'))
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder })
    git('init', '-q', '-b', 'main')
    git('add', '.')
    git('commit', '-q', '-m', 'one')
    const env = {
      DOCKER_HOST: engine.env['DOCKER_HOST'] ?? '',
      CLONE_IMAGE: 'tests:base',
      IMAGES: `pull: never\ndefault: ${image}`,
      JOB_USER,
    }
    const { code, stdout } = await command(['run', '--docker', folder], { env })
    return { code, text: stdout.replaceAll('\r\n', '\n') }
  }

  test('install packages, add hosts and host keys, and start a display', async () => {
    const { code, text } = await run([
      'services: xvfb',
      'addons:',
      '  apt:',
      '    packages: greeter',
      `    sources: [{sourceline: "${sourceline}"}, no-such-source, "ppa:octavia/tools"]`,
      '  hosts: [node-1, my_db, "_"]',
      '  hostname: short-name',
      '  ssh_known_hosts: [git.example.org, "$OTHER:2222", "-x"]',
      '  snaps: hello',
      'env: OTHER=other.example.org',
      'script:',
      '  - greet',
      '  - echo "on $DISPLAY" && test -S /tmp/.X11-unix/X99',
      '  - echo "named $(cat /proc/sys/kernel/hostname)"',
      '  - grep -c -e "127.0.0.1.node-1" -e "127.0.0.1.my_db" /etc/hosts',
      '  - cat "$HOME/.ssh/known_hosts" /etc/ssh/ssh_known_hosts',
    ])
    expect(text).toContain('Source: deb [trusted=yes] file:/packages ./')
    expect(text).toContain('$ apt-get install -yq --no-install-recommends -- xvfb greeter')
    expect(text).toContain('\ngreetings from a package\n')
    expect(text).toContain('\non :99.0\n')
    expect(text).toContain('\nnamed short-name\n')
    expect(text).toMatch(/grep -c .*\n2\n/)
    const keys = [
      'git.example.org ssh-ed25519 KEY at 22',
      'other.example.org ssh-ed25519 KEY at 2222',
    ].join('\n')
    expect(text.split(keys)).toHaveLength(3)
    expect(text).toContain('"-x" in addons.ssh_known_hosts is not the name of a host.')
    expect(text).toContain('The source "no-such-source" of addons.apt is unknown here')
    expect(text).toContain('ppa:octavia/tools of addons.apt is for Ubuntu, and is left out')
    expect(text).toContain('The key "addons.snaps" has no effect in this service')
    expect(text.match(/has no effect/g)).toHaveLength(1)
    expect(code).toBe(0)
  })

  test('end a job if packages cannot be installed', async () => {
    const build = (packages: string) => [`addons: {apt: ${packages}}`, 'script: echo never']
    const unknown = await run(build('no-such-package'))
    expect(unknown.text).toContain('Unable to locate package no-such-package')
    expect(unknown.text).toMatch(
      /The command "apt-get install .*" failed and exited with 100 during apt\./,
    )
    expect(unknown.code).toBe(2)
    const without = await run(build('greeter'), 'tests:base')
    expect(without.text).toContain('and the image of this job has no apt-get: name a "dist"')
    expect(without.code).toBe(2)
    const user = await run(build('greeter'), 'tests:apt', '1000:1000')
    expect(user.text).toContain('which only root can install')
    expect(user.code).toBe(2)
    for (const { text } of [unknown, without, user]) expect(text).not.toContain('\nnever\n')
  })
})
