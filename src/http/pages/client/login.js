// Hands a login over. The form for another page can be sent with its button as well; a page that opened
// or embeds this one is sent a message, at its own origin and no other.

const form = document.querySelector('form.handover')
const message = document.querySelector('#message')
const waiting = document.querySelector('#waiting')

if (form instanceof HTMLFormElement) form.submit()

if (message instanceof HTMLElement) {
  const { origin = '', token, user = '{}' } = message.dataset
  if (window.parent !== window) window.parent.postMessage('done', '*')
  const receiver = window.opener ?? window.top
  receiver.postMessage({ user: JSON.parse(user), token }, origin)
  if (window.opener) window.close()
}

// In a frame no one types a token: the page around it is to send its user to the login.
if (waiting && window.parent !== window) {
  let ancestor = window.parent
  ancestor.postMessage('redirect', '*')
  while (ancestor !== ancestor.parent) {
    ancestor = ancestor.parent
    ancestor.postMessage('redirect', '*')
  }
}
