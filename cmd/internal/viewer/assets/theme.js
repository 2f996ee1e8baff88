// followTheme lets a button switch between light and dark; until then the system
// decides. The choice lasts as long as the page.
export function followTheme(button) {
  const tell = () => dispatchEvent(new Event("themechange"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    tell();
  });
}
