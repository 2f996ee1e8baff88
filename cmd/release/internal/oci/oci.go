// Package oci writes a container image as a file, without a daemon: an OCI image
// layout (image-spec 1.1) in a tar file, with one image for each processor and an
// index of them.
package oci

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/nervure/nervure/cmd/release/internal/archive"
)

// Media types of image-spec 1.1.
const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// Settings are what the images of all processors have in common.
type Settings struct {
	Name, Tag  string // nervure, 1.2.3
	Created    time.Time
	User       string // by number: there may be no /etc/passwd
	Entrypoint []string
	Env        []string
	Dir        string            // where the program starts
	Labels     map[string]string // of the image, and annotations of its manifest
}

// An Image is the root file system for one processor, a single layer.
type Image struct {
	Architecture string // as GOARCH
	Variant      string // v8 for arm64
	Files        []archive.File
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
	Variant      string `json:"variant,omitempty"`
}

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// manifest is an image manifest or, with Manifests, an index.
type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        *descriptor       `json:"config,omitempty"`
	Layers        []descriptor      `json:"layers,omitempty"`
	Manifests     []descriptor      `json:"manifests,omitempty"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

type config struct {
	Created string `json:"created"`
	platform
	Config struct {
		User       string
		Env        []string
		Entrypoint []string
		WorkingDir string            `json:",omitempty"`
		Labels     map[string]string `json:",omitempty"`
	} `json:"config"`
	RootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
	History []map[string]string `json:"history"`
}

// dockerImage is an entry of the manifest.json that docker load reads where it does
// not know the layout. It has no index: the tags tell the processors apart.
type dockerImage struct {
	Config   string
	RepoTags []string
	Layers   []string
}

// A layout collects the files of an image layout.
type layout struct{ files []archive.File }

const blobs = "blobs/sha256/"

func digest(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// blob adds data under its digest, once.
func (l *layout) blob(mediaType string, data []byte) descriptor {
	sum := digest(data)
	if !slices.ContainsFunc(l.files, func(f archive.File) bool { return f.Name == blobs+sum }) {
		l.files = append(l.files, archive.File{Name: blobs + sum, Mode: 0o644, Data: data})
	}
	return descriptor{MediaType: mediaType, Digest: "sha256:" + sum, Size: len(data)}
}

// json adds a document to the blobs.
func (l *layout) json(mediaType string, v any) (descriptor, error) {
	data, err := json.Marshal(v)
	return l.blob(mediaType, data), err
}

// file adds a document that has a name of its own.
func (l *layout) file(name string, v any) error {
	data, err := json.Marshal(v)
	l.files = append(l.files, archive.File{Name: name, Mode: 0o644, Data: data})
	return err
}

// add adds an image and returns its manifest, and its entry for docker load.
func (l *layout) add(s Settings, image Image) (descriptor, dockerImage, error) {
	var plain, packed bytes.Buffer
	if err := errors.Join(archive.Tar(&plain, image.Files, s.Created), archive.TarGz(&packed, image.Files, s.Created)); err != nil {
		return descriptor{}, dockerImage{}, err
	}
	layer := l.blob(layerType, packed.Bytes())
	created := s.Created.UTC().Format(time.RFC3339)
	c := config{Created: created, platform: platform{image.Architecture, "linux", image.Variant}}
	c.Config.User, c.Config.Env, c.Config.Entrypoint, c.Config.WorkingDir, c.Config.Labels = s.User, s.Env, s.Entrypoint, s.Dir, s.Labels
	c.RootFS.Type, c.RootFS.DiffIDs = "layers", []string{"sha256:" + digest(plain.Bytes())}
	c.History = []map[string]string{{"created": created, "created_by": "cmd/release"}}
	settings, err := l.json(configType, c)
	if err != nil {
		return descriptor{}, dockerImage{}, err
	}
	m, err := l.json(manifestType, manifest{2, manifestType, &settings, []descriptor{layer}, nil, s.Labels})
	m.Platform = &c.platform
	return m, dockerImage{blobFile(settings), []string{s.Name + ":" + s.Tag + "-" + image.Architecture}, []string{blobFile(layer)}}, err
}

func blobFile(d descriptor) string { return blobs + d.Digest[len("sha256:"):] }

// Write writes the images as an OCI layout in a tar file. docker load, podman load and
// skopeo (oci-archive:) read it.
func Write(w io.Writer, s Settings, images []Image) error {
	var l layout
	index := manifest{SchemaVersion: 2, MediaType: indexType, Annotations: s.Labels}
	var docker []dockerImage
	for _, image := range images {
		m, d, err := l.add(s, image)
		if err != nil {
			return err
		}
		index.Manifests, docker = append(index.Manifests, m), append(docker, d)
	}
	all, err := l.json(indexType, index)
	if err != nil {
		return err
	}
	all.Annotations = map[string]string{
		"org.opencontainers.image.ref.name": s.Tag,
		"io.containerd.image.name":          "docker.io/library/" + s.Name + ":" + s.Tag,
	}
	err = cmp.Or(
		l.file("oci-layout", map[string]string{"imageLayoutVersion": "1.0.0"}),
		l.file("index.json", manifest{SchemaVersion: 2, MediaType: indexType, Manifests: []descriptor{all}}),
		l.file("manifest.json", docker),
	)
	if err != nil {
		return err
	}
	return archive.Tar(w, l.files, s.Created)
}
