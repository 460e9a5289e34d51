// Hands a login over. The form for another page can also be sent with its button. A page that opened or
// embeds this one gets a message, which only its origin can receive.

const form = document.querySelector('form.handover')
const message = document.querySelector('#message')
const waiting = document.querySelector('#waiting')
const attempt = document.querySelector('#attempt')

/** Milliseconds within which a login without questions must end. */
const patience = 5000

if (form instanceof HTMLFormElement) form.submit()

if (message instanceof HTMLElement) {
  const { origin = '', token, user = '{}' } = message.dataset
  if (window.parent !== window) window.parent.postMessage('done', '*')
  const receiver = window.opener ?? window.top
  receiver.postMessage({ user: JSON.parse(user), token }, origin)
  if (window.opener) window.close()
}

// Users must not type tokens in a frame: the page around it should send its user to the login.
if (waiting && window.parent !== window) askToRedirect()

if (attempt instanceof HTMLIFrameElement) {
  const { source = '' } = attempt.dataset
  if (window.parent === window) {
    // A page in its own window needs no frame.
    location.replace(source)
  } else {
    const timer = setTimeout(askToRedirect, patience)
    window.addEventListener('message', (event) => {
      if (event.source === attempt.contentWindow && event.data === 'done') clearTimeout(timer)
    })
    attempt.src = source
  }
}

/** Asks all pages around this one, and its opener, to redirect. The message reveals nothing to them. */
function askToRedirect() {
  window.opener?.postMessage('redirect', '*')
  let ancestor = window.parent
  ancestor.postMessage('redirect', '*')
  while (ancestor !== ancestor.parent) {
    ancestor = ancestor.parent
    ancestor.postMessage('redirect', '*')
  }
}
