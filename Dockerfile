# Any Debian-based Node image will do: docker build --build-arg NODE_IMAGE=node:22-bookworm-slim .
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY .ci .ci
COPY src src
COPY fixtures fixtures
COPY scenarios scenarios
RUN node .ci/build.mjs command

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="card-vault-sandbox" \
      org.opencontainers.image.description="A sandbox for card vault and vaulted-card payment integrations" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY package.json LICENSE ./
COPY fixtures fixtures
COPY scenarios scenarios
COPY --from=build /build/dist dist
# A new volume that is mounted at /worlds gets the owner of this folder, so --persist /worlds/worlds can write there.
RUN install -d -o 1000 -g 1000 compile-cache /worlds && ln -s /app/dist/cli.cjs /usr/local/bin/card-vault-sandbox
# Folders of your own, mounted as /sandbox/fixtures and /sandbox/scenarios, are taken from here.
WORKDIR /sandbox
# Not HOST and PORT: a job's own, which GitLab hands to its services too, would move the sandbox.
ENV CARD_VAULT_HOST=0.0.0.0 CARD_VAULT_PORT=3000 NODE_ENV=production CARD_VAULT_HOME=/sandbox
# By number, so that a cluster that runs nothing as root can tell.
USER 1000:1000
# Node stores compiled code here, which makes a start faster. One start fills it; no container writes to it.
ENV NODE_COMPILE_CACHE=/app/compile-cache
RUN node /app/dist/cli.cjs --quiet --port 0 --ready-file /app/compile-cache/ready & sandbox=$! \
 && node /app/dist/cli.cjs wait --ready-file /app/compile-cache/ready \
 && kill $sandbox && wait $sandbox \
 && chmod -R a-w /app/compile-cache
# Not 3443, where https listens with CARD_VAULT_TLS: programs that start images, such as Testcontainers on Podman and
# GitLab, wait for every port that an image exposes. `-p 3443:3443` needs no EXPOSE.
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=2s CMD ["node", "/app/dist/health-check.cjs"]
ENTRYPOINT ["node", "/app/dist/cli.cjs"]
# The version of the package and the commit, as those who publish the image know them. They come last, as
# each commit changes them and nothing above.
ARG VERSION
ARG REVISION
LABEL org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
