// Hands a login over. The form for another page can be sent with its button as well; a page that opened
// or embeds this one is sent a message, at its own origin and no other.

const form = document.querySelector('form.handover')
const message = document.querySelector('#message')
const waiting = document.querySelector('#waiting')
const attempt = document.querySelector('#attempt')

/** Milliseconds within which a login without questions ends. */
const patience = 5000

if (form instanceof HTMLFormElement) form.submit()

if (message instanceof HTMLElement) {
  const { origin = '', token, user = '{}' } = message.dataset
  if (window.parent !== window) window.parent.postMessage('done', '*')
  const receiver = window.opener ?? window.top
  receiver.postMessage({ user: JSON.parse(user), token }, origin)
  if (window.opener) window.close()
}

// In a frame no one types a token: the page around it is to send its user to the login.
if (waiting && window.parent !== window) askToRedirect()

if (attempt instanceof HTMLIFrameElement) {
  const { source = '' } = attempt.dataset
  if (window.parent === window) {
    // In a window of its own there is no need for a frame.
    location.replace(source)
  } else {
    const timer = setTimeout(askToRedirect, patience)
    window.addEventListener('message', (event) => {
      if (event.source === attempt.contentWindow && event.data === 'done') clearTimeout(timer)
    })
    attempt.src = source
  }
}

/** Asks all pages around this one, and the one that opened it. They learn nothing by that. */
function askToRedirect() {
  window.opener?.postMessage('redirect', '*')
  let ancestor = window.parent
  ancestor.postMessage('redirect', '*')
  while (ancestor !== ancestor.parent) {
    ancestor = ancestor.parent
    ancestor.postMessage('redirect', '*')
  }
}
