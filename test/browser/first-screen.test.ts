import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findFailure } from '../../src/failure/find-failure.ts'
import { readLog } from '../../src/failure/read-log.ts'
import { shapesOf } from '../../src/failure/shapes.ts'
import { createServer } from '../../src/http/server.ts'
import { chromium, isWide, useBrowser } from '../support/browser.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { addRun } from '../support/job-runs.ts'
import { needs } from '../support/needs.ts'
import { recordedLog } from '../support/recorded-log.ts'

const db = await testDatabase()
const make = factories(db)
const server = await createServer(testContext(db))

const screens = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
]

/** Recorded failures, and the line that tells what broke. */
const failures = [
  ['pytest-fixture', 'cannot open store disk:/none'],
  ['jest-assertion', 'Expected: 3'],
  ['mypy-argument', 'Argument 2 to "area" has incompatible type'],
  ['npm-missing-script', 'Missing script: "build"'],
  ['go-test', 'Add(2, 2) = 5, want 4'],
  ['cargo-test', 'assertion `left == right` failed'],
  ['gcc-link', "undefined reference to `push'"],
  ['java-exception', 'StringIndexOutOfBoundsException'],
  ['shell-followers', 'schema version mismatch'],
  ['npm-silent-exit', '> node check.js'],
] as const

// A status links to the page of its build.
describe('the first screen of a failed build', needs(chromium), () => {
  const site = useBrowser(server)

  test.each(failures)('%s: shows the command and what broke', async (name, line) => {
    const build = await failedBuild(name)
    for (const viewport of screens) {
      const page = await site.browser.newPage({ viewport })
      await page.goto(`${site.url}${build}`)
      expect(await isOnScreen(page, '.panel .head code', readFailure(name).command ?? '')).toBe(
        true,
      )
      expect(await isOnScreen(page, '.excerpt .text', line)).toBe(true)
      expect(await isWide(page)).toBe(false)
      await page.close()
    }
  })
})

async function isOnScreen(page: Page, selector: string, text: string): Promise<boolean> {
  const box = await page.locator(selector, { hasText: text }).first().boundingBox({ timeout: 5000 })
  const height = page.viewportSize()?.height ?? 0
  return box !== null && box.y >= 0 && box.y + box.height <= height
}

function readFailure(name: string) {
  const green = shapesOf(readLog(recordedLog(name, 'green-1')).lines)
  return findFailure(readLog(recordedLog(name, 'red')), [green])
}

/** Stores a failed build whose only job has the recorded log, and returns the path of its page. */
async function failedBuild(name: string): Promise<string> {
  const repository = await make.repository()
  const build = await make.build({ repository, state: 'failed' })
  const job = await make.job({ build, state: 'failed', number: '1.1' })
  await make.log(job, recordedLog(name, 'red'))
  await addRun(db, job, { failure: { ...readFailure(name), compared: [] } })
  return `/octavia/hello/builds/${build.id}`
}
