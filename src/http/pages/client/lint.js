// Sends the form while the user types, and replaces the changed parts of the page. Without this script
// the form works as well, with a page load for each check.

const form = find(document, 'form.lint', HTMLFormElement)
const parts = ['summary', 'settings-problems', 'found', 'made'].map((id) =>
  find(document, `#${id}`, HTMLElement),
)
const pause = 400

/** @type {AbortController | undefined} */
let running
let timer = 0

form.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(() => void check(), pause)
})

async function check() {
  running?.abort()
  const { signal } = (running = new AbortController())
  try {
    const body = new FormData(form)
    const headers = { accept: 'text/html' }
    const response = await fetch(form.action, { method: 'POST', body, headers, signal })
    show(new DOMParser().parseFromString(await response.text(), 'text/html'))
  } catch (error) {
    if (signal.aborted) return
    say('The service cannot be reached. The result below belongs to an earlier text.')
    console.warn(error)
  }
}

/** @param {Document} page */
function show(page) {
  if (page.querySelector('form.lint')) {
    for (const part of parts) {
      const next = find(page, `#${part.id}`, HTMLElement)
      part.className = next.className
      part.replaceChildren(...next.childNodes)
    }
    return
  }
  // An error page: too large, or too many requests.
  const words = [...page.querySelectorAll('main h1, main h1 ~ p:not(:has(a))')]
  say(words.map(({ textContent }) => textContent).join(' – '))
}

/** @param {string} text */
function say(text) {
  find(document, '#summary', HTMLElement).textContent = text
}

/**
 * @template {HTMLElement} T
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
function find(within, selector, kind) {
  const found = within.querySelector(selector)
  if (found instanceof kind) return found
  throw new Error(`there is no ${selector} on this page`)
}
