import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file that browsers load in addition to the page. The build copies it next to the compiled code. */
export interface Asset {
  name: string
  type: string
  text: string
  /** Identifies the version, so that browsers can cache it forever. */
  hash: string
}

export const style = readAsset('style.css', './style.css', 'text/css;charset=utf-8')
export const lintScript = readAsset('lint.js', './client/lint.js', 'text/javascript;charset=utf-8')
/** Bundled by the build, because it reads output with the code of `terminal`. */
export const jobScript = readAsset('job.js', './client/job.js', 'text/javascript;charset=utf-8')
/** Bundled, because it connects to the streaming service with the client library for its protocol. */
export const liveScript = readAsset('live.js', './client/live.js', 'text/javascript;charset=utf-8')
export const loginScript = readAsset(
  'login.js',
  './client/login.js',
  'text/javascript;charset=utf-8',
)

export const assets: readonly Asset[] = [style, lintScript, jobScript, liveScript, loginScript]

function readAsset(name: string, file: string, type: string): Asset {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  return { name, type, text, hash: createHash('sha256').update(text).digest('hex').slice(0, 12) }
}
