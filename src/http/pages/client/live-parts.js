// The parts of a log that grows: read from the service, and received while the job runs. Each part is used once,
// in the order of their numbers; `live.js` announces events, and the page as it is now.

/**
 * @typedef {{ number: number, content: string, final: boolean }} Part
 * @typedef {{
 *   add(text: string): void,
 *   end(): void,
 *   clear(): Promise<void>,
 * }} Sink
 */

/**
 * Begins to listen at once, so that nothing is missed between the first reading and the first event.
 *
 * @param {HTMLElement} root
 */
export function liveParts(root) {
  const { job } = root.dataset
  let { parts: source = '', attempt } = root.dataset
  let last = 0
  let isEnded = false
  /** Whether the job may have begun another attempt, whose parts are not of this log. */
  let isUnsure = false
  let isReading = false
  let isDue = false
  /** @type {Sink | undefined} */
  let sink

  /** @param {Part} part */
  function take({ number, content, final }) {
    if (number <= last) return
    last = number
    sink?.add(content)
    if (!final) return
    isEnded = true
    sink?.end()
  }

  /** The parts after the last one; undefined if they cannot be read. @returns {Promise<Part[] | undefined>} */
  async function read() {
    try {
      const url = new URL(source, location.href)
      url.searchParams.set('after', String(last))
      const response = await fetch(url, { headers: { accept: 'application/json; chunked=true' } })
      if (!response.ok) return undefined
      const { log } = await response.json()
      return log.parts
    } catch (error) {
      console.warn(error)
      return undefined
    }
  }

  /** Reads what is missing, and again if something is missed meanwhile. */
  async function catchUp() {
    isDue = true
    if (!sink || isReading || isUnsure) return
    isReading = true
    isDue = false
    const from = source
    const parts = await read()
    isReading = false
    if (from === source) for (const part of parts ?? []) take(part)
    if (isDue) await catchUp()
  }

  document.addEventListener('live:event', ({ detail: { event, data } }) => {
    if (String(data.id) !== job) return
    if (event === 'job:created') isUnsure = true
    if (event !== 'job:log' || isEnded || data.number <= last) return
    const isNext = data.number === last + 1 && !isReading && !isUnsure && sink !== undefined
    if (isNext) take(data)
    else void catchUp()
  })
  document.addEventListener('live:subscribed', () => void catchUp())
  document.addEventListener('live:page', ({ detail }) => void look(detail))

  /** The page as it is now shows the log of the newest attempt. @param {Document} page */
  async function look(page) {
    const { attempt: newest = attempt, parts: newestSource = source } =
      page.getElementById(root.id)?.dataset ?? {}
    isUnsure = false
    if (newest !== attempt) {
      attempt = newest
      source = newestSource
      last = 0
      isEnded = false
      isDue = true
      await sink?.clear()
    }
    if (isDue) await catchUp()
  }

  return {
    /** The first parts; undefined if they cannot be read. */
    first: read,

    /** Uses parts from now on: first these. @param {Part[]} first @param {Sink} newSink */
    begin(first, newSink) {
      sink = newSink
      for (const part of first) take(part)
      if (isDue) void catchUp()
    },
  }
}
