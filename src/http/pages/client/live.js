// Pages that follow what happens: events say that something changed, and the page is read again. What is on it
// changes in place. Without this script pages stay as they are.
import Pusher from 'pusher-js'
import { morph } from './morph.js'

/**
 * @typedef {object} Live
 * @property {string} key
 * @property {string} [address] of another streaming service
 * @property {string} prefix
 * @property {string} [token] of the session's forms
 * @property {string[]} channels
 * @property {{ build?: number, job?: number }} of what the page shows; everything on the channels without it
 * @property {string} href of the page without what is read apart from it
 */

/** Milliseconds between two readings of the page. */
const pauseBetween = 1000
/** Milliseconds within which the first one begins, so that not all readers come at once. */
const spread = 200

const written = document.body.dataset.live
if (written !== undefined) start(/** @type {Live} */ (JSON.parse(written)))

/** @param {Live} live */
function start(live) {
  const refresh = refreshing(live)
  const pusher = connect(live)
  pusher.connection.bind('state_change', (/** @type {{ current: string }} */ { current }) => {
    document.documentElement.classList.toggle('live', current === 'connected')
  })
  for (const name of live.channels) {
    const channel = pusher.subscribe(name)
    channel.bind_global((/** @type {string} */ event, /** @type {any} */ data) => {
      if (event === 'pusher:subscription_succeeded') {
        announce('live:subscribed', null)
        // What happened since the page was made.
        refresh()
      }
      if (event.startsWith('pusher') || !isAbout(live, event, data)) return
      announce('live:event', { event, data })
      if (event !== 'job:log') refresh()
    })
  }
}

/** @param {Live} live */
function connect({ key, address, prefix, token }) {
  const { protocol, hostname, port, pathname } = new URL(address ?? location.href)
  const isSecure = protocol === 'https:'
  const ownPath = address === undefined ? prefix : pathname.replace(/\/+$/, '')
  return new Pusher(key, {
    cluster: 'none',
    wsHost: hostname,
    wsPort: Number(port) || 80,
    wssPort: Number(port) || 443,
    wsPath: ownPath,
    forceTLS: isSecure,
    // Others load scripts from other hosts.
    enabledTransports: ['ws', 'wss'],
    enableStats: false,
    channelAuthorization: {
      transport: 'ajax',
      endpoint: `${prefix}/streaming/auth`,
      params: token === undefined ? {} : { form_token: token },
    },
  })
}

/** @param {Live} live @param {string} event @param {any} data */
function isAbout({ of }, event, data) {
  // Clients of a streaming service can send each other events too, such as `client-…`.
  if (!/^(build|job):/.test(event)) return false
  if (typeof data !== 'object' || data === null) return false
  const isJob = event.startsWith('job:')
  if (of.job !== undefined) return isJob && data.id === of.job
  if (of.build !== undefined) return of.build === (isJob ? data.build_id : data.build?.id)
  return true
}

/** @param {'live:subscribed' | 'live:event' | 'live:page'} name @param {any} detail */
function announce(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }))
}

/**
 * Reads the page again soon, and not while the page is hidden.
 *
 * @param {Live} live
 */
function refreshing({ href }) {
  let isDue = false
  let isBusy = false
  let readAt = -pauseBetween

  function soon() {
    isDue = true
    if (isBusy || document.hidden) return
    isBusy = true
    const wait = Math.max(Math.random() * spread, readAt + pauseBetween - performance.now())
    setTimeout(async () => {
      isDue = false
      await readPage(href)
      readAt = performance.now()
      isBusy = false
      if (isDue) soon()
    }, wait)
  }
  document.addEventListener('visibilitychange', () => {
    if (isDue) soon()
  })
  return soon
}

/** @param {string} href */
async function readPage(href) {
  try {
    const url = new URL(href, location.href)
    for (const [name, value] of new URLSearchParams(location.search)) {
      if (!url.searchParams.has(name)) url.searchParams.set(name, value)
    }
    const response = await fetch(url, { headers: { accept: 'text/html' } })
    if (!response.ok || response.redirected) return
    const now = new DOMParser().parseFromString(await response.text(), 'text/html')
    const [shown, wanted] = [document.querySelector('main'), now.querySelector('main')]
    if (!shown || !wanted) return
    morph(shown, wanted)
    document.title = now.title
    const icon = now.querySelector('link[rel="icon"]')?.getAttribute('href')
    if (icon) document.querySelector('link[rel="icon"]')?.setAttribute('href', icon)
    announce('live:page', now)
  } catch (error) {
    // The next event, or the next connection, reads it.
    console.warn(error)
  }
}
