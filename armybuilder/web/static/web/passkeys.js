/* Passkeys: the browser makes or shows one, the server has the question and judges the answer. */
(function () {
  "use strict";

  function ask(form, address, body) {
    return fetch(address, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value },
      body: JSON.stringify(body || {})
    }).then(function (response) { return response.ok ? response.json() : Promise.reject(response); });
  }

  function credential(form, options) {
    var kinds = window.PublicKeyCredential;
    return form.dataset.passkey === "register"
      ? navigator.credentials.create({ publicKey: kinds.parseCreationOptionsFromJSON(options) })
      : navigator.credentials.get({ publicKey: kinds.parseRequestOptionsFromJSON(options) });
  }

  function perform(form) {
    var button = form.querySelector("button"), says = form.querySelector("[role='status']");
    button.disabled = true;
    says.textContent = "";
    ask(form, form.dataset.begin)
      .then(function (options) { return credential(form, options); })
      .then(function (made) { return ask(form, form.dataset.complete, made.toJSON()); })
      .then(function () { location.assign(form.dataset.next); })
      .catch(function (why) {
        button.disabled = false;
        says.textContent = why instanceof Response ? form.dataset.refused : form.dataset.aborted;
      });
  }

  document.querySelectorAll("form[data-passkey]").forEach(function (form) {
    if (!window.PublicKeyCredential || !window.PublicKeyCredential.parseCreationOptionsFromJSON) { return; }
    form.hidden = false;
    form.addEventListener("submit", function (event) { event.preventDefault(); perform(form); });
  });
})();
